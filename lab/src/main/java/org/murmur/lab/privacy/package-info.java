/**
 * What filters give away: a synthetic chain whose truth is known, what wallets show their peers,
 * and adversaries who look at it.
 */
@NullMarked
package org.murmur.lab.privacy;

import org.jspecify.annotations.NullMarked;
