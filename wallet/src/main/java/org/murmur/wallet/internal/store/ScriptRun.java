package org.murmur.wallet.internal.store;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.p2p.internal.cover.WholeScript;

/**
 * Consecutive scripts of one chain that stand one after another in the element log.
 *
 * @param first index in the log of the first one
 * @param chain which of the wallet's chains, from 0
 * @param child place in the chain of the first one
 * @param elements what a filter holds of each
 * @param scripts the scriptPubKey of each
 * @param addresses the text people see of each
 */
public record ScriptRun(
    int first,
    int chain,
    int child,
    List<Bytes> elements,
    List<Bytes> scripts,
    List<String> addresses) {

  /** Copies the lists. */
  public ScriptRun {
    elements = List.copyOf(elements);
    scripts = List.copyOf(scripts);
    addresses = addresses instanceof DerivedAddresses derived ? derived : List.copyOf(addresses);
  }

  /**
   * Makes a run whose addresses follow from its scripts. Each is computed when it is asked for.
   *
   * @param first index in the log of the first one
   * @param chain which of the wallet's chains, from 0
   * @param child place in the chain of the first one
   * @param elements what a filter holds of each
   * @param scripts the scriptPubKey of each; every one has an address
   * @param network whose prefixes the addresses carry
   */
  public static ScriptRun withAddressesOf(
      int first,
      int chain,
      int child,
      List<Bytes> elements,
      List<Bytes> scripts,
      KeyNetwork network) {
    List<Bytes> copy = List.copyOf(scripts);
    return new ScriptRun(first, chain, child, elements, copy, new DerivedAddresses(copy, network));
  }

  /** {@return what the machine needs to find them in whole blocks and their filters} */
  public List<WholeScript> whole() {
    List<WholeScript> whole = new ArrayList<>(scripts.size());
    for (Bytes script : scripts) {
      whole.add(new WholeScript(first + whole.size(), script));
    }
    return whole;
  }

  /** {@return how many there are, at least 1} */
  public int count() {
    return elements.size();
  }
}
