/**
 * The peers that are called or connected: who they are, what they owe, how they behave and how fast
 * they are; with the clock, dice and outbox of a step.
 */
@NullMarked
package org.murmur.p2p.peers;

import org.jspecify.annotations.NullMarked;
