package org.murmur.bip37;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/**
 * The server-side filter: it decides which transactions a peer gets, and grows with matches.
 *
 * <p>The rules are Bitcoin Core's ({@code CBloomFilter::IsRelevantAndUpdate}), also where
 * BIP-0037's text differs. A transaction matches by its txid, or by data pushed in an output's
 * script. If neither matches, it can match by an outpoint that it spends or by data pushed in an
 * input's script. Witness data is ignored. The embedded node uses this class, and the client uses
 * it as a model of the filters it has sent.
 *
 * <p>Not thread safe.
 */
public final class ServerFilter {

  /** The longest element {@code filteradd} may carry (BIP-0037: the longest push of a script). */
  public static final int MAX_ELEMENT_BYTES = 520;

  private final FilterParameters parameters;
  private final FilterBits bits;
  private final ScriptPushes pushes = new ScriptPushes();
  private final ScriptPushes template = new ScriptPushes();
  private final byte[] element = new byte[OutPoint.LENGTH];
  private int outPointsAdded;

  /**
   * Loads a filter.
   *
   * @param loaded the filter of the {@code filterload}; it is not changed
   */
  public ServerFilter(BloomFilter loaded) {
    this.parameters = loaded.parameters();
    this.bits = loaded.copyOfBits();
  }

  /**
   * Inserts an element, as {@code filteradd} does.
   *
   * @param added the element
   */
  public void add(Bytes added) {
    bits.add(added.unsafeArray(), 0, added.length());
  }

  /**
   * Returns whether an element may be in the filter as it is now, without a change.
   *
   * <p>For servers that scan whole blocks: {@link #matchAndUpdate} does nothing for a transaction
   * without a matching element.
   *
   * @param source the array
   * @param offset index of the element's first byte
   * @param length number of bytes
   * @return false only if it was never inserted
   */
  public boolean contains(byte[] source, int offset, int length) {
    return bits.contains(source, offset, length);
  }

  /**
   * Returns whether a transaction matches, and inserts the outpoints of matching outputs according
   * to the filter's flag.
   *
   * @param tx the transaction, in either form
   * @return whether it matches
   */
  public boolean matchAndUpdate(Tx tx) {
    if (parameters.bytes() == 0) {
      return true;
    }
    Hash256 txid = tx.txid();
    txid.write(element, 0);
    boolean found = bits.contains(element, 0, Hash256.LENGTH);
    // Outputs are tested even if the txid matched, because their outpoints may have to be inserted.
    List<Tx.Output> outputs = tx.outputs();
    for (int i = 0; i < outputs.size(); i++) {
      Bytes script = outputs.get(i).script();
      if (matchesData(script)) {
        found = true;
        if (insertsOutPoint(script)) {
          txid.write(element, 0);
          LittleEndian.putInt32(element, Hash256.LENGTH, i);
          bits.add(element, 0, OutPoint.LENGTH);
          outPointsAdded++;
        }
      }
    }
    return found || matchesInput(tx.inputs());
  }

  private boolean matchesInput(List<Tx.Input> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      Tx.Input input = inputs.get(i);
      OutPoint spent = input.outPoint();
      spent.txid().write(element, 0);
      LittleEndian.putInt32(element, Hash256.LENGTH, spent.index());
      if (bits.contains(element, 0, OutPoint.LENGTH) || matchesData(input.scriptSig())) {
        return true;
      }
    }
    return false;
  }

  private boolean matchesData(Bytes script) {
    pushes.over(script);
    while (pushes.nextData()) {
      if (bits.contains(pushes.array(), pushes.offset(), pushes.length())) {
        return true;
      }
    }
    return false;
  }

  private boolean insertsOutPoint(Bytes script) {
    return switch (parameters.flag()) {
      case NONE -> false;
      case ALL -> true;
      case P2PUBKEY_ONLY -> BareKeys.paidBy(script.unsafeArray(), template);
    };
  }

  /** {@return the current filter, a value, independent of later changes} */
  public BloomFilter filter() {
    return new BloomFilter(parameters, bits.copy());
  }

  /** {@return the number of bits that are set now, 0 to the number of bits} */
  public int bitsSet() {
    return bits.bitsSet();
  }

  /**
   * {@return the false-positive rate as it is now, from the bits that are set; see {@link
   * BloomFilter#realisedRate}; 0 to 1}
   */
  public double realisedRate() {
    return bits.rate();
  }

  /**
   * {@return how many outpoints of matching outputs were inserted, for true and false matches; a
   * count; a transaction matched twice counts twice} Each makes the filter less selective.
   */
  public int outPointsAdded() {
    return outPointsAdded;
  }
}
