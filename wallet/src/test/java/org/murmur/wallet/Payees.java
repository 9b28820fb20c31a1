package org.murmur.wallet;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.Recipient;

/** Recipients on regtest, by their scripts. */
final class Payees {

  private Payees() {}

  static Recipient of(Bytes script, long satoshi) {
    return Recipient.of(address(script), Amount.sat(satoshi));
  }

  static Recipient lessFee(Bytes script, long satoshi) {
    return Recipient.lessFee(address(script), Amount.sat(satoshi));
  }

  static Recipient all(Bytes script) {
    return Recipient.all(address(script));
  }

  static Address address(Bytes script) {
    return Address.parse(Address.of(script, KeyNetwork.REGTEST).orElseThrow(), KeyNetwork.REGTEST);
  }
}
