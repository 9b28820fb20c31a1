package org.murmur.coins.psbt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.psbt.TestWallet.Spend;

/** Random damage and random unknown fields in the published PSBTs. */
final class PsbtPropertyTest {

  private static final List<OutputType> TYPES = List.of(OutputType.values());

  private static final List<byte[]> PSBTS =
      PsbtVectors.valid().map(vector -> Base64.getDecoder().decode(vector.psbt())).toList();

  @Property(tries = 5000)
  void damageIsReadOrMalformed(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = pick(random).clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    readsOrIsMalformed(bytes);
  }

  @Property(tries = 500)
  void noBeginningOfOneIsAWholeOne(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = pick(random);
    Bytes beginning = Bytes.of(bytes, 0, random.nextInt(bytes.length));
    boolean read = true;
    try {
      Psbt.parse(beginning);
    } catch (MalformedException e) {
      read = false;
    }
    assertThat(read).isFalse();
  }

  private static byte[] pick(Random random) {
    return PSBTS.get(random.nextInt(PSBTS.size()));
  }

  private static void readsOrIsMalformed(byte[] bytes) {
    Psbt psbt;
    try {
      psbt = Psbt.parse(Bytes.of(bytes));
    } catch (MalformedException e) {
      return;
    }
    assertThat(psbt.toBytes()).isEqualTo(Bytes.wrap(bytes));
  }

  @Property(tries = 500)
  void unknownFieldsSurvive(@ForAll long seed) {
    Random random = new Random(seed);
    Psbt psbt = Psbt.parse(Bytes.wrap(pick(random)));
    Map<Bytes, Bytes> added = new HashMap<>();
    for (int i = 0; i < 5; i++) {
      byte[] key = bytes(random, 1 + random.nextInt(40));
      key[0] = (byte) (0x40 + random.nextInt(0x40));
      added.put(Bytes.wrap(key), Bytes.wrap(bytes(random, random.nextInt(300))));
    }
    FieldMap more =
        new FieldMap(
            added.entrySet().stream()
                .map(e -> new FieldMap.Entry(e.getKey(), e.getValue()))
                .toList());
    PsbtMaps before = psbt.maps();
    PsbtMaps maps = before.withGlobal(before.global().plus(more));
    if (!before.inputs().isEmpty()) {
      maps = maps.withInput(0, before.inputs().get(0).plus(more));
    }
    Psbt changed = new Psbt(maps);
    Psbt read = Psbt.parseBase64(changed.toBase64());
    assertThat(read).isEqualTo(changed);
    assertThat(read.toBytes()).isEqualTo(changed.toBytes());
    assertThat(read.maps().global().entries()).containsAll(more.entries());
    assertThat(read.maps().global().entries()).containsAll(before.global().entries());
    assertThat(read.maps().global().entries())
        .hasSize(before.global().entries().size() + more.entries().size());
  }

  /** The roles refuse what is damaged, and never fail otherwise. */
  @Property(tries = 1000)
  void rolesRefuseWhatIsDamaged(@ForAll long seed) {
    Random random = new Random(seed);
    Spend spend = Spend.of(any(random), random).coin(TestWallet.OURS, any(random));
    byte[] bytes = spend.updated(spend.unsigned()).toBytes().toArray();
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    try {
      Psbt psbt = Psbt.parse(Bytes.wrap(bytes));
      PsbtFinalizer.finalise(
          PsbtSigner.sign(psbt, TestWallet.OURS.own(), TestWallet.OURS.privateKeys()).psbt());
    } catch (MalformedException | PsbtException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  /** Any mixture of inputs gives the payment that the signer of whole payments gives. */
  @Property(tries = 100)
  void mixedPaymentsAreSigned(@ForAll long seed) {
    Random random = new Random(seed);
    Spend spend = Spend.of(any(random), random);
    for (int i = random.nextInt(5); i > 0; i--) {
      spend.coin(TestWallet.OURS, any(random));
    }
    Tx unsigned = spend.unsigned();
    Psbt signed =
        PsbtSigner.sign(
                spend.updated(unsigned), TestWallet.OURS.own(), TestWallet.OURS.privateKeys())
            .psbt();
    assertThat(PsbtFinalizer.extract(signed)).isEqualTo(spend.signed(unsigned));
  }

  private static OutputType any(Random random) {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
