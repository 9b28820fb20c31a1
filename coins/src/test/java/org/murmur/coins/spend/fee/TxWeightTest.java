package org.murmur.coins.spend.fee;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;

final class TxWeightTest {

  private static final List<OutputType> TYPES = List.of(OutputType.values());
  private static final Bytes P2PKH = Bytes.wrap(new byte[25]);
  private static final Bytes P2SH = Bytes.wrap(new byte[23]);
  private static final Bytes P2WPKH = Bytes.wrap(new byte[22]);
  private static final Bytes P2TR = Bytes.wrap(new byte[34]);

  /** One coin, a payment and change, all of one type: sizes that every fee calculator knows. */
  @Test
  void knowsTheUsualPayments() {
    assertThat(vsize(OutputType.P2PKH, P2PKH)).isEqualTo(225);
    assertThat(vsize(OutputType.P2SH_P2WPKH, P2SH)).isEqualTo(166);
    assertThat(vsize(OutputType.P2WPKH, P2WPKH)).isEqualTo(141);
    assertThat(vsize(OutputType.P2TR, P2TR)).isEqualTo(154);
  }

  private static int vsize(OutputType type, Bytes output) {
    return TxWeight.vsize(TxWeight.of(List.of(InputSize.of(type)), List.of(output, output)));
  }

  @Test
  void knowsTheInputs() {
    assertThat(InputSize.of(OutputType.P2PKH).weight()).isEqualTo(4 * 147);
    assertThat(InputSize.of(OutputType.P2SH_P2WPKH).weight()).isEqualTo(4 * 64 + 107);
    assertThat(InputSize.of(OutputType.P2WPKH).weight()).isEqualTo(4 * 41 + 107);
    assertThat(InputSize.of(OutputType.P2TR).weight()).isEqualTo(4 * 41 + 66);
    assertThat(InputSize.ofOtherSigner(OutputType.P2PKH).weight()).isEqualTo(4 * 148);
    assertThat(InputSize.ofOtherSigner(OutputType.P2TR)).isEqualTo(InputSize.of(OutputType.P2TR));
  }

  /** Serialised with filler of the same lengths, a transaction has exactly this weight. */
  @Property(tries = 500)
  void isTheWeightOfTheSerialisedTransaction(@ForAll long seed) {
    Random random = new Random(seed);
    List<InputSize> inputs = inputs(random);
    List<Bytes> outputs = outputs(random);
    Tx tx = Tx.parse(serialised(inputs, outputs));
    int weight = TxWeight.of(inputs, outputs);
    assertThat(weight).isEqualTo((int) tx.weight());
    assertThat(TxWeight.vsize(weight)).isEqualTo((int) tx.virtualSize());
    assertThat(TxWeight.stripped(inputs, outputs)).isEqualTo(tx.strippedSize());
    int parts =
        TxWeight.besideInputs(inputs.size(), outputs)
            + inputs.stream().mapToInt(TxWeight::ofInput).sum();
    assertThat(parts)
        .isBetween(TxWeight.vsize(weight) * TxWeight.PER_BYTE, weight + 5 + inputs.size());
  }

  private static List<InputSize> inputs(Random random) {
    int most = random.nextInt(8) == 0 ? 300 : 6;
    boolean legacyOnly = random.nextInt(3) == 0;
    List<InputSize> inputs = new ArrayList<>();
    for (int i = random.nextInt(most); i >= 0; i--) {
      OutputType type = TYPES.get(random.nextInt(TYPES.size()));
      inputs.add(
          random.nextInt(20) == 0
              ? new InputSize(random.nextInt(400), 0)
              : InputSize.of(legacyOnly ? OutputType.P2PKH : type));
    }
    return inputs;
  }

  private static List<Bytes> outputs(Random random) {
    int most = random.nextInt(8) == 0 ? 300 : 4;
    List<Bytes> outputs = new ArrayList<>(Collections.nCopies(random.nextInt(most), P2TR));
    outputs.add(Bytes.wrap(new byte[random.nextInt(400)]));
    return outputs;
  }

  private static Bytes serialised(List<InputSize> inputs, List<Bytes> outputs) {
    boolean witness = inputs.stream().anyMatch(InputSize::hasWitness);
    ByteWriter out = new ByteWriter().int32(2);
    if (witness) {
      out.uint8(0).uint8(1);
    }
    out.compactSize(inputs.size());
    inputs.forEach(
        in -> out.hash(Hash256.ZERO).int32(0).varBytes(filler(in.scriptSig())).int32(-3));
    out.compactSize(outputs.size());
    outputs.forEach(script -> out.int64(0).varBytes(script));
    if (witness) {
      inputs.forEach(in -> stack(out, in.witness()));
    }
    return out.int32(0).toBytes();
  }

  /** A count, a length and one item, or an empty stack. */
  private static void stack(ByteWriter out, int bytes) {
    if (bytes == 0) {
      out.uint8(0);
    } else {
      out.uint8(1).varBytes(filler(bytes - 2));
    }
  }

  private static Bytes filler(int length) {
    return Bytes.wrap(new byte[length]);
  }
}
