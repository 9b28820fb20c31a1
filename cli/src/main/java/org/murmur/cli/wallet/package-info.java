/**
 * Wallet files: create, restore, watch, list, export; and the base of every command about a wallet.
 */
@NullMarked
package org.murmur.cli.wallet;

import org.jspecify.annotations.NullMarked;
