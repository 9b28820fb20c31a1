/**
 * The peers that are called or connected: their identity, open requests, conduct and speed; with
 * the clock, random numbers and outbox of a step.
 */
@NullMarked
package org.murmur.p2p.peers;

import org.jspecify.annotations.NullMarked;
