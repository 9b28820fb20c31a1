/**
 * Studies of what filters reveal: a synthetic chain with known truth, the filters that wallets send
 * to their peers, and adversaries that analyse them.
 */
@NullMarked
package org.murmur.lab.privacy;

import org.jspecify.annotations.NullMarked;
