package org.murmur.coins.psbt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.SpentOutput;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.psbt.PsbtException.Reason;
import org.murmur.coins.psbt.TestWallet.Spend;

/** The roles of BIP174, on published vectors and on payments of a wallet of words. */
final class PsbtRolesTest {

  private static final TestWallet OURS = TestWallet.OURS;
  private static final TestWallet THEIRS = TestWallet.THEIRS;

  private static Psbt read(JsonNode base64) {
    return Psbt.parseBase64(base64.asText());
  }

  @Test
  void theWalkOfBip174() {
    JsonNode walk = PsbtVectors.read("bip174_walk.json");
    Psbt created = read(walk.get("creator").get("psbt"));
    assertThat(Psbt.create(created.unsignedTx().toTx())).isEqualTo(created);
    List<Psbt> signed =
        List.of(read(walk.get("signer_1").get("psbt")), read(walk.get("signer_2").get("psbt")));
    Psbt combined = PsbtCombiner.combine(signed);
    assertSameFields(combined, read(walk.get("combiner").get("psbt")));
    Psbt finalised = PsbtFinalizer.finalise(combined);
    assertThat(finalised.toBase64()).isEqualTo(walk.get("finalizer").get("psbt").asText());
    Tx tx = PsbtFinalizer.extract(combined);
    assertThat(tx.raw().toHex()).isEqualTo(walk.get("extractor").get("tx").asText());
    assertThat(PsbtFinalizer.extract(finalised)).isEqualTo(tx);
  }

  /** Core orders signatures by the hashes of their keys, which no BIP asks for. */
  private static void assertSameFields(Psbt actual, Psbt expected) {
    assertThat(ordered(actual)).isEqualTo(ordered(expected));
  }

  private static Psbt ordered(Psbt psbt) {
    PsbtMaps maps = psbt.maps();
    return new Psbt(
        new PsbtMaps(
            FieldMap.EMPTY.plus(maps.global()),
            maps.inputs().stream().map(FieldMap.EMPTY::plus).toList(),
            maps.outputs().stream().map(FieldMap.EMPTY::plus).toList()));
  }

  @Test
  void unknownFieldsAreCombined() {
    JsonNode vector = PsbtVectors.read("bip174_walk.json").get("combiner_unknown_keys");
    Psbt first = read(vector.get("psbts").get(0));
    Psbt second = read(vector.get("psbts").get(1));
    String expected = vector.get("psbt").asText();
    assertThat(PsbtCombiner.combine(List.of(first, second)).toBase64()).isEqualTo(expected);
    assertThat(PsbtCombiner.combine(List.of(second, first)).toBase64()).isEqualTo(expected);
  }

  @Test
  void theNodesOwnVectors() {
    JsonNode core = PsbtVectors.read("core_rpc_psbt.json");
    JsonNode combiner = core.get("combiner").get(0);
    List<Psbt> parts =
        List.of(read(combiner.get("combine").get(0)), read(combiner.get("combine").get(1)));
    assertSameFields(PsbtCombiner.combine(parts), read(combiner.get("result")));
    JsonNode finalizer = core.get("finalizer").get(0);
    assertThat(PsbtFinalizer.finalise(read(finalizer.get("finalize"))).toBase64())
        .isEqualTo(finalizer.get("result").asText());
    JsonNode extractor = core.get("extractor").get(0);
    assertThat(PsbtFinalizer.extract(read(extractor.get("extract"))).raw().toHex())
        .isEqualTo(extractor.get("result").asText());
  }

  @ParameterizedTest
  @CsvSource({
    "0, PREVIOUS_TRANSACTION_MISSING",
    "1, OTHER_REDEEM_SCRIPT",
    "2, OTHER_REDEEM_SCRIPT",
    "3, OTHER_WITNESS_SCRIPT"
  })
  void whatASignerMustRefuse(int index, Reason reason) {
    Psbt psbt =
        read(PsbtVectors.read("bip174_signer_failures.json").get("cases").get(index).get("psbt"));
    refuses(() -> PsbtFacts.of(psbt), reason);
  }

  @ParameterizedTest
  @CsvSource({"39, OTHER_TRANSACTION", "40, NO_SUCH_OUTPUT"})
  void wellFormedOnesThatTheNodeRefuses(int index, Reason reason) {
    Psbt psbt = read(PsbtVectors.read("core_rpc_psbt.json").get("invalid").get(index));
    refuses(() -> PsbtFacts.of(psbt), reason);
  }

  @ParameterizedTest
  @EnumSource
  void signsAsTheSignerOfWholePayments(OutputType type) {
    Spend spend = Spend.of(type, new Random(1)).coin(OURS, type);
    Tx unsigned = spend.unsigned();
    Psbt updated = Psbt.parseBase64(spend.updated(unsigned).toBase64());
    assertThat(PsbtFacts.of(updated).fee()).hasValue(5_000);
    PsbtSigner.Result result = PsbtSigner.sign(updated, OURS.own(), OURS.privateKeys());
    assertThat(result.signed()).containsExactly(0, 1);
    Psbt signed = Psbt.parse(result.psbt().toBytes());
    assertThat(PsbtFinalizer.extract(signed)).isEqualTo(spend.signed(unsigned));
  }

  @Test
  void twoWalletsPayTogether() {
    Random random = new Random(2);
    Spend spend = new Spend(random);
    for (OutputType type : OutputType.values()) {
      spend.coin(OURS, type).coin(THEIRS, type);
    }
    Psbt ours = spend.updated(spend.unsigned());
    Psbt both = PsbtUpdater.update(ours, THEIRS.own(), spend::transaction);
    Psbt signedByUs = PsbtSigner.sign(both, OURS.own(), OURS.privateKeys()).psbt();
    Psbt signedByThem = PsbtSigner.sign(both, THEIRS.own(), THEIRS.privateKeys()).psbt();
    refuses(() -> PsbtFinalizer.extract(signedByUs), Reason.NOT_COMPLETE);
    Psbt combined = PsbtCombiner.combine(List.of(signedByUs, signedByThem));
    Psbt inARow = PsbtSigner.sign(signedByUs, THEIRS.own(), THEIRS.privateKeys()).psbt();
    assertThat(combined).isEqualTo(inARow);
    Psbt half = PsbtFinalizer.finalise(signedByUs);
    Psbt rest = PsbtSigner.sign(half, THEIRS.own(), THEIRS.privateKeys()).psbt();
    assertThat(PsbtFinalizer.extract(rest)).isEqualTo(PsbtFinalizer.extract(combined));
  }

  @Test
  void version2GivesTheSameTransaction() {
    Spend spend = new Spend(new Random(3));
    for (OutputType type : OutputType.values()) {
      spend.coin(OURS, type);
    }
    Tx unsigned = spend.unsigned();
    Psbt version2 = version2(unsigned, 7);
    assertThat(version2.unsignedTx().toTx()).isEqualTo(unsigned);
    Psbt updated = PsbtUpdater.update(version2, OURS.own(), spend::transaction);
    Psbt signed = PsbtSigner.sign(updated, OURS.own(), OURS.privateKeys()).psbt();
    assertThat(signed.maps().global().get(Field.TX_MODIFIABLE)).contains(Bytes.ofHex("04"));
    Psbt read = Psbt.parseBase64(signed.toBase64());
    assertThat(PsbtFinalizer.extract(read)).isEqualTo(spend.signed(unsigned));
    Psbt finalised = PsbtFinalizer.finalise(read);
    assertThat(PsbtFinalizer.extract(Psbt.parse(finalised.toBytes())))
        .isEqualTo(spend.signed(unsigned));
    refuses(
        () -> PsbtCombiner.combine(List.of(signed, spend.updated(unsigned))), Reason.NOT_THE_SAME);
  }

  private static Bytes int32(int value) {
    return new ByteWriter().int32(value).toBytes();
  }

  private static Psbt version2(Tx tx, int modifiable) {
    FieldMap global =
        FieldMap.EMPTY
            .with(Field.TX_VERSION, int32(tx.version()))
            .with(Field.FALLBACK_LOCK_TIME, int32(tx.lockTime()))
            .with(Field.INPUT_COUNT, new ByteWriter().uint8(tx.inputs().size()).toBytes())
            .with(Field.OUTPUT_COUNT, new ByteWriter().uint8(tx.outputs().size()).toBytes())
            .with(Field.TX_MODIFIABLE, Bytes.of(new byte[] {(byte) modifiable}))
            .with(Field.VERSION, int32(2));
    List<FieldMap> inputs =
        tx.inputs().stream()
            .map(
                in ->
                    FieldMap.EMPTY
                        .with(Field.PREVIOUS_TXID, Bytes.of(in.outPoint().txid().toInternal()))
                        .with(Field.OUTPUT_INDEX, int32(in.outPoint().index()))
                        .with(Field.SEQUENCE, int32(in.sequence())))
            .toList();
    List<FieldMap> outputs =
        tx.outputs().stream()
            .map(
                out ->
                    FieldMap.EMPTY
                        .with(Field.AMOUNT, new ByteWriter().int64(out.value()).toBytes())
                        .with(Field.SCRIPT, out.script()))
            .toList();
    return new Psbt(new PsbtMaps(global, inputs, outputs));
  }

  @Test
  void ownOutputsHaveTheirKeys() {
    Spend spend = Spend.of(OutputType.P2WPKH, new Random(4));
    List<FieldMap> outputs = spend.updated(spend.unsigned()).maps().outputs();
    assertThat(outputs.get(0)).isEqualTo(FieldMap.EMPTY);
    assertThat(outputs.get(1).has(Field.OUT_REDEEM_SCRIPT)).isTrue();
    // The fingerprint of these words is in BIP-0084's and BIP-0086's examples.
    assertThat(outputs.get(1).all(Field.OUT_DERIVATION).values())
        .containsExactly(Bytes.ofHex("73c5da0a3100008001000080000000800100000003000000"));
  }

  @Test
  void taprootSignsForAllWhereThePsbtSaysSo() {
    Spend spend = Spend.of(OutputType.P2TR, new Random(5));
    Psbt psbt = changed(spend.updated(spend.unsigned()), m -> m.with(Field.SIGHASH_TYPE, int32(1)));
    Psbt signed = PsbtSigner.sign(psbt, OURS.own(), OURS.privateKeys()).psbt();
    assertThat(signed.maps().inputs().get(0).get(Field.TAP_KEY_SIG).orElseThrow().length())
        .isEqualTo(65);
    assertThat(PsbtFinalizer.extract(signed).hasWitness()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"P2WPKH, 2", "P2WPKH, 3", "P2WPKH, 0x81", "P2WPKH, 0", "P2TR, 3", "P2TR, 0x81"})
  void otherTypesOfHashAreRefused(OutputType type, String hashType) {
    Spend spend = Spend.of(type, new Random(6));
    Psbt psbt =
        changed(
            spend.updated(spend.unsigned()),
            m -> m.with(Field.SIGHASH_TYPE, int32(Integer.decode(hashType))));
    refuses(() -> PsbtSigner.sign(psbt, OURS.own(), OURS.privateKeys()), Reason.SIGHASH_TYPE);
  }

  @Test
  void aSignatureOfAnotherTypeIsNotFinal() {
    Spend spend = Spend.of(OutputType.P2WPKH, new Random(7));
    Psbt signed =
        PsbtSigner.sign(spend.updated(spend.unsigned()), OURS.own(), OURS.privateKeys()).psbt();
    UnaryOperator<FieldMap> other =
        m -> {
          var partial = m.all(Field.PARTIAL_SIG).entrySet().iterator().next();
          byte[] signature = partial.getValue().toArray();
          signature[signature.length - 1] = 3;
          return m.with(Field.PARTIAL_SIG, partial.getKey(), Bytes.of(signature));
        };
    refuses(() -> PsbtFinalizer.finalise(changed(signed, other)), Reason.SIGHASH_TYPE);
  }

  @ParameterizedTest
  @EnumSource
  void aSignatureOfAnotherPaymentIsNotFinal(OutputType type) {
    Spend spend = Spend.of(type, new Random(8));
    Tx unsigned = spend.unsigned();
    Psbt signed = PsbtSigner.sign(spend.updated(unsigned), OURS.own(), OURS.privateKeys()).psbt();
    Bytes more = unsigned.raw();
    byte[] changedLockTime = more.toArray();
    changedLockTime[changedLockTime.length - 1] ^= 1;
    Psbt moved =
        new Psbt(
            signed
                .maps()
                .withGlobal(
                    signed.maps().global().with(Field.UNSIGNED_TX, Bytes.of(changedLockTime))));
    refuses(() -> PsbtFinalizer.finalise(moved), Reason.BAD_SIGNATURE);
  }

  @Test
  void aSignedTransactionIsNoBeginning() {
    Spend spend = Spend.of(OutputType.P2PKH, new Random(9));
    Tx signed = spend.signed(spend.unsigned());
    refuses(() -> Psbt.create(signed), Reason.ALREADY_SIGNED);
  }

  @ParameterizedTest
  @EnumSource(names = {"P2SH_P2WPKH", "P2WPKH", "P2TR"})
  void aSmallerValueIsAContradiction(OutputType type) {
    Spend spend = Spend.of(type, new Random(10));
    SpentOutput coin = spend.spent().get(0);
    Bytes lie = new ByteWriter().int64(coin.value() - 1_000).varBytes(coin.script()).toBytes();
    Psbt created = Psbt.create(spend.unsigned());
    Psbt lying = changed(created, m -> m.with(Field.WITNESS_UTXO, lie));
    refuses(
        () -> PsbtUpdater.update(lying, OURS.own(), spend::transaction), Reason.UTXO_CONTRADICTION);
    if (type != OutputType.P2TR) {
      Psbt both =
          changed(spend.updated(created.unsignedTx().toTx()), m -> m.with(Field.WITNESS_UTXO, lie));
      refuses(() -> PsbtFacts.of(both), Reason.UTXO_CONTRADICTION);
    }
  }

  /**
   * A signature for one input does not commit to the values of the others. Who signs twice, each
   * time with another value understated, has signed a payment with a larger fee than was shown.
   */
  @ParameterizedTest
  @EnumSource(names = {"P2SH_P2WPKH", "P2WPKH"})
  void ofTwoOwnValuesOneMustBeProven(OutputType type) {
    Spend spend = Spend.of(type, new Random(16)).coin(OURS, type);
    Psbt proven = spend.updated(spend.unsigned());
    for (int understated = 0; understated < 2; understated++) {
      PsbtMaps maps = proven.maps();
      for (int i = 0; i < 2; i++) {
        SpentOutput coin = spend.spent().get(i);
        long value = coin.value() - (i == understated ? 4_000 : 0);
        FieldMap input = maps.inputs().get(i).keep(entry -> entry.key().at(0) != 0);
        Bytes claim = new ByteWriter().int64(value).varBytes(coin.script()).toBytes();
        maps = maps.withInput(i, input.with(Field.WITNESS_UTXO, claim));
      }
      Psbt lying = new Psbt(maps);
      assertThat(PsbtFacts.of(lying).fee()).hasValue(1_000);
      refuses(
          () -> PsbtSigner.sign(lying, OURS.own(), OURS.privateKeys()),
          Reason.PREVIOUS_TRANSACTION_MISSING);
    }
    Psbt one = changed(proven, input -> input.keep(entry -> entry.key().at(0) != 0));
    Psbt signed = PsbtSigner.sign(one, OURS.own(), OURS.privateKeys()).psbt();
    assertThat(PsbtFinalizer.extract(signed)).isEqualTo(spend.signed(proven.unsignedTx().toTx()));
  }

  @Test
  void moreOutThanInIsRefused() {
    Spend spend = Spend.of(OutputType.P2WPKH, new Random(11));
    Tx unsigned = spend.unsigned(spend.value(), Bytes.ofHex("51"));
    refuses(() -> spend.updated(unsigned), Reason.NEGATIVE_FEE);
  }

  @Test
  void anotherInternalKeyIsRefused() {
    Spend spend = Spend.of(OutputType.P2TR, new Random(12));
    Bytes other =
        THEIRS
            .own()
            .find(THEIRS.script(THEIRS.path(OutputType.P2TR, new Random(1))))
            .orElseThrow()
            .compressed();
    Psbt psbt =
        changed(
            spend.updated(spend.unsigned()),
            m -> m.with(Field.TAP_INTERNAL_KEY, other.slice(1, 33)));
    refuses(() -> PsbtFacts.of(psbt), Reason.OTHER_INTERNAL_KEY);
  }

  @Test
  void taprootNeedsAllSpentOutputs() {
    Spend spend = Spend.of(OutputType.P2TR, new Random(13)).coin(THEIRS, OutputType.P2WPKH);
    Psbt psbt = spend.updated(spend.unsigned());
    assertThat(PsbtFacts.of(psbt).fee()).isEmpty();
    refuses(() -> PsbtSigner.sign(psbt, OURS.own(), OURS.privateKeys()), Reason.UTXO_MISSING);
  }

  @Test
  void otherPeoplesInputsAreLeftAlone() {
    Spend spend = new Spend(new Random(14)).coin(THEIRS, OutputType.P2WPKH);
    Psbt psbt =
        PsbtUpdater.update(spend.updated(spend.unsigned()), THEIRS.own(), spend::transaction);
    PsbtSigner.Result result = PsbtSigner.sign(psbt, OURS.own(), OURS.privateKeys());
    assertThat(result.signed()).isEmpty();
    assertThat(result.psbt()).isEqualTo(psbt);
  }

  @Test
  void keysOfOtherWordsAreRefused() {
    Spend spend = Spend.of(OutputType.P2WPKH, new Random(15));
    Psbt psbt = spend.updated(spend.unsigned());
    refuses(
        () -> PsbtSigner.sign(psbt, OURS.own(), THEIRS.privateKeys()),
        Reason.SCRIPT_OF_ANOTHER_KEY);
  }

  private static Psbt changed(Psbt psbt, UnaryOperator<FieldMap> change) {
    FieldMap input = psbt.maps().inputs().get(0);
    return new Psbt(psbt.maps().withInput(0, change.apply(input)));
  }

  private static void refuses(ThrowingCallable role, Reason reason) {
    assertThatThrownBy(role)
        .isInstanceOfSatisfying(PsbtException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
