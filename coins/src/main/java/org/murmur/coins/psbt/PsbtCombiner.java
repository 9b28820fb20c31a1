package org.murmur.coins.psbt;

import java.util.List;
import org.murmur.coins.psbt.PsbtException.Reason;

/** Merges PSBTs of the same transaction. */
public final class PsbtCombiner {

  private PsbtCombiner() {}

  /**
   * Merges PSBTs. Where two have a field with the same key, the first one's value is taken.
   *
   * @param psbts at least one
   * @return with the fields of all
   * @throws PsbtException if they are of different transactions or versions
   */
  public static Psbt combine(List<Psbt> psbts) {
    Psbt combined = psbts.get(0);
    for (Psbt other : psbts.subList(1, psbts.size())) {
      requireSame(combined, other);
      combined = merged(combined.maps(), other.maps());
    }
    return combined;
  }

  private static void requireSame(Psbt a, Psbt b) {
    boolean same =
        a.version() == b.version()
            && (a.version() == 0
                ? a.unsignedTx().equals(b.unsignedTx())
                : a.unsignedTx().withoutSequences().equals(b.unsignedTx().withoutSequences()));
    if (!same) {
      throw new PsbtException(Reason.NOT_THE_SAME);
    }
  }

  private static Psbt merged(PsbtMaps first, PsbtMaps second) {
    return new Psbt(
        first
            .withGlobal(first.global().plus(second.global()))
            .changed(
                (i, input) -> input.plus(second.inputs().get(i)),
                (i, output) -> output.plus(second.outputs().get(i))));
  }
}
