/**
 * Wallets as files: making, restoring, watching, listing, exporting; and what every command about a
 * wallet shares.
 */
@NullMarked
package org.murmur.cli.wallet;

import org.jspecify.annotations.NullMarked;
