package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.fee.InputSize;

/** How large an input may become when others sign it. */
final class LargestInput {

  /** DER with low S only, and the type of hash. */
  private static final int SIGNATURE = 72;

  private static final int SCHNORR = 64;

  private LargestInput() {}

  /** Empty if its script is not known, or is none that can be finalised. */
  static Optional<InputSize> of(Tx.Output spent, FieldMap input, int index) {
    Bytes script = spent.script();
    if (Scripts.isTaproot(script)) {
      return taproot(script, input);
    }
    if (Scripts.isKeyHash(script)) {
      return Optional.of(InputSize.ofOtherSigner(OutputType.P2PKH));
    }
    if (Scripts.isWitnessKeyHash(script)) {
      return Optional.of(InputSize.ofOtherSigner(OutputType.P2WPKH));
    }
    SpentScript behind = SpentScript.of(script, input, index);
    if (behind.redeemScript().filter(Scripts::isWitnessKeyHash).isPresent()) {
      return Optional.of(InputSize.ofOtherSigner(OutputType.P2SH_P2WPKH));
    }
    return signatures(behind).map(items -> size(behind, items));
  }

  /** The lengths of the items before the scripts. */
  private static Optional<List<Integer>> signatures(SpentScript behind) {
    if (Scripts.key(behind.script()).isPresent()) {
      return Optional.of(List.of(SIGNATURE));
    }
    boolean hidden = behind.redeemScript().isPresent() || behind.witnessScript().isPresent();
    return hidden
        ? Scripts.multisig(behind.script())
            .map(
                multisig -> {
                  List<Integer> items =
                      new ArrayList<>(Collections.nCopies(multisig.threshold(), SIGNATURE));
                  items.add(0);
                  return items;
                })
        : Optional.empty();
  }

  private static InputSize size(SpentScript behind, List<Integer> items) {
    int redeem = behind.redeemScript().map(LargestInput::pushed).orElse(0);
    int stack = items.stream().mapToInt(length -> 1 + length).sum();
    return behind.segwit()
        ? new InputSize(
            redeem, 1 + stack + behind.witnessScript().map(LargestInput::counted).orElse(0))
        : new InputSize(redeem + stack, 0);
  }

  /** With what pushes it. */
  private static int pushed(Bytes data) {
    return Scripts.push(new ByteWriter(), data).length();
  }

  /** With its length before it. */
  private static int counted(Bytes data) {
    return new ByteWriter().varBytes(data).length();
  }

  /** By its key, or by the largest script that is known. Other scripts may be larger. */
  private static Optional<InputSize> taproot(Bytes script, FieldMap input) {
    InputSize largest = InputSize.ofOtherSigner(OutputType.P2TR);
    if (input.has(Field.TAP_KEY_SIG)) {
      return Optional.of(largest);
    }
    List<TapLeaf> leaves = TapLeaf.of(input, script);
    if (leaves.size() < input.all(Field.TAP_LEAF_SCRIPT).size()) {
      return Optional.empty();
    }
    for (TapLeaf leaf : leaves) {
      int witness =
          1
              + leaf.keys().size()
              + leaf.threshold() * SCHNORR
              + counted(leaf.script())
              + counted(leaf.controlBlock());
      largest = witness > largest.witness() ? new InputSize(0, witness) : largest;
    }
    return Optional.of(largest);
  }
}
