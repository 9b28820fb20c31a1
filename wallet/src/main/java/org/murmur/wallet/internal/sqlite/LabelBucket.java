package org.murmur.wallet.internal.sqlite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.label.LabelType;

/**
 * The labels in one row: all whose things have the same key, which is usually one thing.
 *
 * <pre>
 *   until the end, for each label:
 *     uint8        1: spendable was said; 2: it is spendable
 *     var bytes    type (the word of BIP-0329), ref, origin, text, other members; each in UTF-8
 * </pre>
 */
final class LabelBucket {

  private static final int SAID = 1;
  private static final int SPENDABLE = 2;

  private LabelBucket() {}

  /** Returns the id of the row for a thing, so that no index is needed to find it. */
  public static long key(LabelRef ref) {
    return Table.id(new ByteWriter().varText(ref.type().word() + ":" + ref.text()));
  }

  /** Packs labels into a row's bytes. */
  public static byte[] pack(Collection<Label> labels) {
    ByteWriter out = new ByteWriter(128);
    for (Label label : labels) {
      boolean spendable = label.spendable().orElse(false);
      out.uint8((label.spendable().isPresent() ? SAID : 0) | (spendable ? SPENDABLE : 0));
      out.varText(label.ref().type().word());
      out.varText(label.ref().text());
      out.varText(label.origin());
      out.varText(label.text());
      out.varText(label.more());
    }
    return out.toArray();
  }

  /**
   * Unpacks labels from a row's bytes, in the order in which they were packed. Throws {@link
   * IllegalArgumentException} if these are no labels of this key.
   */
  public static List<Label> unpack(long key, ByteReader in) {
    List<Label> labels = new ArrayList<>(1);
    while (in.remaining() > 0) {
      int flags = in.uint8();
      LabelType type =
          LabelType.ofWord(in.varText())
              .orElseThrow(() -> new IllegalArgumentException("a label of an unknown type"));
      LabelRef ref = new LabelRef(type, in.varText());
      if (key(ref) != key) {
        throw new IllegalArgumentException("a label that is not where it belongs");
      }
      Optional<Boolean> spendable =
          (flags & SAID) == 0 ? Optional.empty() : Optional.of((flags & SPENDABLE) != 0);
      labels.add(new Label(ref, in.varText(), in.varText(), spendable, in.varText()));
    }
    return labels;
  }
}
