package org.murmur.wallet.books;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Network;
import org.murmur.wallet.ledger.Ledger;
import org.murmur.wallet.store.StoredWallet;

/**
 * The wallet as of its last commit, to be read while {@link Books#read} lends it.
 *
 * @param wallet what it is
 * @param network its network
 * @param height the tip's height
 * @param tip the tip's hash
 * @param tipTime the tip's time, seconds since 1970
 * @param ledger its transactions
 * @param scripts its scripts
 * @param derivation its descriptors
 */
public record WalletView(
    StoredWallet wallet,
    Network network,
    int height,
    Hash256 tip,
    long tipTime,
    Ledger ledger,
    ScriptBook scripts,
    Derivation derivation) {}
