package org.murmur.wallet.internal.store;

import java.util.AbstractList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;

/** The addresses of scripts, each computed when it is asked for. */
final class DerivedAddresses extends AbstractList<String> {

  private final List<Bytes> scripts;
  private final KeyNetwork network;

  DerivedAddresses(List<Bytes> scripts, KeyNetwork network) {
    this.scripts = scripts;
    this.network = network;
  }

  @Override
  public String get(int i) {
    return Address.of(scripts.get(i), network)
        .orElseThrow(() -> new IllegalArgumentException("a script without an address"));
  }

  @Override
  public int size() {
    return scripts.size();
  }
}
