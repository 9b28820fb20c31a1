package org.murmur.wallet.pay;

import org.murmur.bip37.bytes.Hash256;

/**
 * A pending payment of the wallet that spends a coin of another transaction: at most one of the two
 * is mined.
 *
 * @param txid of the payment
 * @param stays whether it counts on: a peer has it, and the other transaction does not pay a higher
 *     fee, as far as the wallet knows. Nodes keep it then (BIP-0125, rule 3)
 */
public record DisplacedPayment(Hash256 txid, boolean stays) {}
