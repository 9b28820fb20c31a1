/** The synthetic chain with its wallets, and what the chain itself reveals. */
@NullMarked
package org.murmur.lab.privacy.chain;

import org.jspecify.annotations.NullMarked;
