/**
 * The address table: known addresses, and which one to connect to next. Pure: time and random
 * numbers are arguments.
 */
@NullMarked
package org.murmur.p2p.internal.discovery;

import org.jspecify.annotations.NullMarked;
