package org.murmur.wallet.internal.sqlite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
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

  /**
   * Returns the id of the row for a thing: the first 8 bytes of the double SHA-256 of type and
   * text, so that no index is needed to find it.
   */
  public static long key(LabelRef ref) {
    byte[] text = (ref.type().word() + ":" + ref.text()).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(DoubleSha256.of(Bytes.wrap(text)).toInternal()).getLong();
  }

  /** Packs labels into a row's bytes. */
  public static byte[] pack(Collection<Label> labels) {
    ByteWriter out = new ByteWriter(128);
    for (Label label : labels) {
      boolean spendable = label.spendable().orElse(false);
      out.uint8((label.spendable().isPresent() ? SAID : 0) | (spendable ? SPENDABLE : 0));
      text(out, label.ref().type().word());
      text(out, label.ref().text());
      text(out, label.origin());
      text(out, label.text());
      text(out, label.more());
    }
    return out.toArray();
  }

  private static void text(ByteWriter out, String text) {
    out.varBytes(Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Unpacks labels from a row's bytes, in the order in which they were packed. Throws {@link
   * IllegalArgumentException} if these are no labels of this key.
   */
  public static List<Label> unpack(long key, byte[] data) {
    ByteReader in = new ByteReader(data);
    List<Label> labels = new ArrayList<>(1);
    while (in.remaining() > 0) {
      int flags = in.uint8();
      LabelType type =
          LabelType.ofWord(text(in))
              .orElseThrow(() -> new IllegalArgumentException("a label of an unknown type"));
      LabelRef ref = new LabelRef(type, text(in));
      if (key(ref) != key) {
        throw new IllegalArgumentException("a label that is not where it belongs");
      }
      Optional<Boolean> spendable =
          (flags & SAID) == 0 ? Optional.empty() : Optional.of((flags & SPENDABLE) != 0);
      labels.add(new Label(ref, text(in), text(in), spendable, text(in)));
    }
    return labels;
  }

  private static String text(ByteReader in) {
    return new String(in.varBytes().unsafeArray(), StandardCharsets.UTF_8);
  }
}
