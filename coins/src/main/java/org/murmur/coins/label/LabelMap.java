package org.murmur.coins.label;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;

/**
 * Labels of some things.
 *
 * @param labels the wallet's record of each thing that has one
 */
public record LabelMap(Map<LabelRef, Label> labels) {

  /** Copies the map. */
  public LabelMap {
    labels = Map.copyOf(labels);
  }

  /**
   * Finds the record of a thing.
   *
   * @param ref the thing
   * @return an empty record if it has none
   */
  public Label of(LabelRef ref) {
    return labels.getOrDefault(ref, Label.about(ref));
  }

  private String ofAddress(String address) {
    return of(new LabelRef(LabelType.ADDR, address)).text();
  }

  /**
   * Finds the label to show for a transaction.
   *
   * @param txid which
   * @param addresses whom it pays
   * @return its label, else the labels of the addresses with commas between them; empty for none
   */
  public String ofTransaction(Hash256 txid, Collection<String> addresses) {
    String own = of(LabelRef.of(txid)).text();
    return own.isEmpty()
        ? addresses.stream()
            .map(this::ofAddress)
            .filter(text -> !text.isEmpty())
            .distinct()
            .collect(Collectors.joining(", "))
        : own;
  }

  /**
   * Finds the label to show for a coin.
   *
   * @param coin where it is
   * @param address the address it pays
   * @return its label, else that of its address, else that of its transaction; empty for none
   */
  public String ofCoin(OutPoint coin, String address) {
    String own = of(LabelRef.of(coin)).text();
    String known = own.isEmpty() ? ofAddress(address) : own;
    return known.isEmpty() ? of(LabelRef.of(coin.txid())).text() : known;
  }
}
