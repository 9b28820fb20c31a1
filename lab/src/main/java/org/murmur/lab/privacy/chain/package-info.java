/** The invented chain with its wallets, and what it reveals by itself. */
@NullMarked
package org.murmur.lab.privacy.chain;

import org.jspecify.annotations.NullMarked;
