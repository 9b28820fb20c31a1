package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bitcoinj.crypto.ECKey;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.FilterSemanticsContract.ScriptType;
import org.murmur.regtest.TestPeer.Hello;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.KeySigner;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/** Which transactions a node accepts and relays, and which it refuses. */
public abstract class AcceptanceContract extends NodeContract {

  private static final List<ECKey> KEYS = Wallets.keys(81, ScriptType.values().length);
  private static final List<ECKey> OTHERS = Wallets.keys(82, ScriptType.values().length);
  private static final KeySigner SIGNER = KeySigner.of(KEYS);
  private static final Bytes TO = OutputScripts.payToWitnessPubKeyHash(Bytes.wrap(new byte[20]));
  private static final int FINAL = 0xffffffff;
  private static final int IN_SECONDS = 1 << 22;
  private static final int COINS_HEIGHT = 102;
  private static final long VALUE = 1_000_000;
  private static final long FEE = 2_000;
  private static final int PLAIN_COINS = 90;

  private final List<OutPoint> plain = new ArrayList<>();
  private final Map<ScriptType, List<OutPoint>> keyed = new EnumMap<>(ScriptType.class);
  private OutPoint immature = new OutPoint(Hash256.ZERO, 0);
  private int height;
  // How far back the coins' median time lies, in units of 512 seconds, rounded down.
  private int units;

  @BeforeAll
  void build() {
    Chain chain = Chain.ofGenesis();
    try (RegtestNode builder = RegtestNode.start(chain)) {
      TxBuilder fan = Lane.spend(Lane.fund(builder));
      for (int i = 0; i < PLAIN_COINS; i++) {
        fan.pay(VALUE, Lane.PLAIN_SCRIPT);
      }
      for (ScriptType type : ScriptType.values()) {
        for (int i = 0; i < 10; i++) {
          fan.pay(VALUE, type.script(KEYS));
        }
      }
      Tx coins = fan.build();
      builder.mine(List.of(coins));
      int next = 0;
      while (next < PLAIN_COINS) {
        plain.add(coins.outPoint(next++));
      }
      for (ScriptType type : ScriptType.values()) {
        List<OutPoint> own = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          own.add(coins.outPoint(next++));
        }
        keyed.put(type, own);
      }
      immature = builder.mineTo(Lane.PLAIN_SCRIPT, 1).get(0).tx(0).outPoint(0);
      height = chain.height();
      units = (int) (medianTime(chain, height) - medianTime(chain, COINS_HEIGHT - 1)) / 512;
    }
    serve(chain, ContractNode.Kind.TRUSTING);
  }

  /** The sixth of the times of the last eleven blocks. */
  private static long medianTime(Chain chain, int height) {
    return IntStream.rangeClosed(height - 10, height)
        .mapToLong(at -> chain.blockAt(at).time())
        .sorted()
        .skip(5)
        .findFirst()
        .orElseThrow();
  }

  private ContractNode node() {
    return node(ContractNode.Kind.TRUSTING);
  }

  private TestPeer peer(Hello hello) {
    return TestPeer.connect("127.0.0.1", node().port(), hello);
  }

  private OutPoint coin() {
    return plain.remove(plain.size() - 1);
  }

  private OutPoint coin(ScriptType type) {
    List<OutPoint> own = keyed.getOrDefault(type, List.of());
    return own.remove(own.size() - 1);
  }

  private TxBuilder free() {
    return Lane.spendPlain(coin());
  }

  /** Sends it as a peer would, and compares the node's verdict with the expected one. */
  private void expect(boolean taken, Tx tx) {
    try (TestPeer listener = peer(Hello.LISTENER);
        TestPeer sender = peer(Hello.LIGHT)) {
      listener.barrier();
      listener.barrier();
      sender.send(new Message.TxMessage(tx));
      sender.barrier();
      assertThat(node().holds(tx)).as("taken").isEqualTo(taken);
      List<Message> told = listener.barrier();
      told.addAll(listener.barrier());
      if (taken) {
        assertThat(told)
            .contains(new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid()))));
      } else {
        assertThat(told).isEmpty();
      }
    }
  }

  private Tx signed(ScriptType type) {
    return signed(type, VALUE, type);
  }

  /** Signed for a coin of this value and type. */
  private Tx signed(ScriptType type, long value, ScriptType signedAs) {
    Tx unsigned = new TxBuilder().spend(coin(type)).pay(VALUE - FEE, TO).build();
    return SIGNER.sign(unsigned, List.of(new Tx.Output(value, signedAs.script(KEYS))));
  }

  private static Tx flipped(Tx tx, int at) {
    byte[] bytes = tx.raw().toArray();
    bytes[at] ^= 1;
    return Tx.parse(Bytes.wrap(bytes));
  }

  @ParameterizedTest
  @EnumSource
  void takesSignedTransactions(ScriptType type) {
    expect(true, signed(type));
  }

  @ParameterizedTest
  @EnumSource
  void refusesAWrongSignature(ScriptType type) {
    Tx tx = signed(type);
    // The last byte of the first output's script: all is well-formed, but differs from what was
    // signed.
    int program = tx.stripped().length() - 5;
    int at = tx.hasWitness() ? program + 2 : program;
    expect(false, flipped(tx, at));
  }

  @ParameterizedTest
  @EnumSource
  void refusesAnotherKeysSignature(ScriptType type) {
    OutPoint spent = coin(type);
    Tx unsigned = new TxBuilder().spend(spent).pay(VALUE - FEE, TO).build();
    Tx foreign =
        KeySigner.of(OTHERS).sign(unsigned, List.of(new Tx.Output(VALUE, type.script(OTHERS))));
    expect(false, foreign);
  }

  @ParameterizedTest
  @EnumSource(names = {"P2WPKH", "P2SH_P2WPKH", "P2TR"})
  void refusesASignatureForAnotherValue(ScriptType type) {
    expect(false, signed(type, VALUE - 1, type));
  }

  @ParameterizedTest
  @EnumSource
  void refusesUnsignedTransactions(ScriptType type) {
    expect(false, new TxBuilder().spend(coin(type)).pay(VALUE - FEE, TO).build());
  }

  @ParameterizedTest
  @EnumSource(names = {"P2WPKH", "P2SH_P2WPKH", "P2TR"})
  void refusesStrippedTransactions(ScriptType type) {
    Tx whole = signed(type);
    expect(false, Tx.parse(whole.stripped()));
    expect(true, whole);
  }

  @Test
  void takesAWitnessScriptWithoutASignature() {
    expect(true, free().pay(VALUE - FEE, TO).build());
  }

  @Test
  void refusesAnotherWitnessScript() {
    expect(
        false,
        new TxBuilder()
            .spend(coin(), Bytes.EMPTY, FINAL, List.of(Bytes.ofHex("5175")))
            .pay(VALUE - FEE, TO)
            .build());
  }

  @Test
  void refusesMoreOnTheStackThanIsNeeded() {
    expect(
        false,
        new TxBuilder()
            .spend(coin(), Bytes.EMPTY, FINAL, List.of(Bytes.ofHex("01"), Lane.PLAIN_WITNESS))
            .pay(VALUE - FEE, TO)
            .build());
  }

  @Test
  void refusesAScriptSigOnAWitnessProgram() {
    expect(
        false,
        new TxBuilder()
            .spend(coin(), Bytes.ofHex("51"), FINAL, List.of(Lane.PLAIN_WITNESS))
            .pay(VALUE - FEE, TO)
            .build());
  }

  @Test
  void asksForTheLeastFee() {
    long size = free().pay(VALUE, TO).build().virtualSize();
    expect(false, free().pay(VALUE, TO).build());
    expect(false, free().pay(VALUE - size + 1, TO).build());
    expect(true, free().pay(VALUE - size, TO).build());
  }

  @Test
  void refusesToPayOutMoreThanComesIn() {
    expect(false, free().pay(VALUE + 1, TO).build());
    expect(false, free().pay(-1, TO).build());
    expect(false, free().pay(2_100_000_000_000_001L, TO).build());
  }

  /** Two outputs whose sum is too large for 64 bits seemed to pay a fee (CVE-2010-5139). */
  @Test
  void refusesValuesAbove21MillionThatOverflow() {
    long rest = VALUE - FEE + 2;
    expect(false, free().pay(Long.MAX_VALUE, TO).pay(Long.MAX_VALUE, TO).pay(rest, TO).build());
  }

  /** The lowest value of an output that is not dust. */
  enum Dust {
    P2PKH(546, "76a914" + "00".repeat(20) + "88ac"),
    P2SH(540, "a914" + "00".repeat(20) + "87"),
    P2WPKH(294, "0014" + "00".repeat(20)),
    P2WSH(330, "0020" + "00".repeat(32)),
    P2TR(330, "5120" + "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");

    private final long least;
    private final String script;

    Dust(long least, String script) {
      this.least = least;
      this.script = script;
    }

    Bytes script() {
      return Bytes.ofHex(script);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesDust(Dust dust) {
    expect(false, free().pay(VALUE - FEE - 1_000, TO).pay(dust.least - 1, dust.script()).build());
    expect(true, free().pay(VALUE - FEE - 1_000, TO).pay(dust.least, dust.script()).build());
  }

  @Test
  void takesOneSmallOutputOfData() {
    Bytes data = OutputScripts.data(Bytes.wrap(new byte[32]));
    expect(true, free().pay(VALUE - FEE, TO).pay(0, data).build());
  }

  @Test
  void refusesOutputsOfNoStandardForm() {
    expect(false, free().pay(VALUE - FEE, Bytes.ofHex("51")).build());
    expect(false, free().pay(VALUE - FEE, Bytes.EMPTY).build());
  }

  @ParameterizedTest
  @EnumSource(names = {"P2PKH"})
  void refusesAWitnessOnALegacyInput(ScriptType type) {
    Tx tx = signed(type);
    Tx.Input input = tx.inputs().get(0);
    expect(
        false,
        new TxBuilder()
            .spend(
                input.outPoint(), input.scriptSig(), input.sequence(), List.of(Lane.PLAIN_WITNESS))
            .pay(VALUE - FEE, TO)
            .build());
  }

  @Test
  void refusesInputsThatDoNotExist() {
    OutPoint nowhere = new OutPoint(Hash256.ofDisplay("5a".repeat(32)), 0);
    expect(false, Lane.spendPlain(nowhere).pay(VALUE - FEE, TO).build());
  }

  @Test
  void refusesAnInputTwice() {
    OutPoint spent = coin();
    expect(false, Lane.spendPlain(spent, spent).pay(VALUE - FEE, TO).build());
  }

  @Test
  void refusesAYoungCoinbase() {
    expect(false, Lane.spendPlain(immature).pay(VALUE, TO).build());
  }

  @Test
  void takesAChildOfAPendingTransaction() {
    Tx parent = free().pay(VALUE - FEE, Lane.PLAIN_SCRIPT).build();
    expect(true, parent);
    expect(true, Lane.spendPlain(parent.outPoint(0)).pay(VALUE - 2 * FEE, TO).build());
  }

  @Test
  void asksForTheParentOfAnOrphan() {
    Tx parent = free().pay(VALUE - FEE, Lane.PLAIN_SCRIPT).build();
    Tx child = Lane.spendPlain(parent.outPoint(0)).pay(VALUE - 2 * FEE, TO).build();
    try (TestPeer sender = peer(Hello.LIGHT)) {
      sender.send(new Message.TxMessage(child));
      assertThat(sender.await(Message.GetData.class).items())
          .containsExactly(new InventoryItem(InventoryItem.TX, parent.txid()));
      assertThat(node().mempool()).doesNotContain(child.txid());
      sender.send(new Message.TxMessage(parent));
      sender.barrier();
      sender.barrier();
      assertThat(node().holds(parent)).isTrue();
      assertThat(node().holds(child)).isTrue();
    }
  }

  @Test
  void replacesForAHigherFee() {
    OutPoint spent = coin();
    Tx first = Lane.spendPlain(spent).pay(VALUE - FEE, TO).build();
    expect(true, first);
    expect(false, Lane.spendPlain(spent).pay(VALUE - FEE - 10, TO).build());
    Tx second = Lane.spendPlain(spent).pay(VALUE - 2 * FEE, TO).build();
    expect(true, second);
    assertThat(node().mempool()).doesNotContain(first.txid());
    expect(false, first);
  }

  @Test
  void refusesADoubleSpendThatPaysNoMore() {
    OutPoint spent = coin();
    expect(true, Lane.spendPlain(spent).pay(VALUE - FEE, TO).build());
    expect(false, Lane.spendPlain(spent).pay(VALUE - FEE, Lane.PLAIN_SCRIPT).build());
  }

  /**
   * BIP-0125, rules 3 and 4: the fees of all replaced transactions, and the minimum fee for its own
   * size.
   */
  @Test
  void aReplacementPaysForTheReplacedAndItsOwnRelayToTheSatoshi() {
    OutPoint spent = coin();
    Tx first = Lane.spendPlain(spent).pay(VALUE - FEE, TO).build();
    expect(true, first);
    long ownRelay = first.virtualSize();
    expect(false, Lane.spendPlain(spent).pay(VALUE - FEE - ownRelay + 1, TO).build());
    expect(true, Lane.spendPlain(spent).pay(VALUE - FEE - ownRelay, TO).build());
  }

  @Test
  void aReplacementPaysForTheChildrenThatGoToo() {
    OutPoint spent = coin();
    Tx parent = Lane.spendPlain(spent).pay(VALUE - FEE, Lane.PLAIN_SCRIPT).build();
    expect(true, parent);
    Tx child = Lane.spendPlain(parent.outPoint(0)).pay(VALUE - 3 * FEE, TO).build();
    expect(true, child);
    // They pay 2,000 and 4,000, at higher rates than the transaction that fails to replace them.
    Tx tooLittle = Lane.spendPlain(spent).pay(VALUE - 3 * FEE, TO).build();
    expect(false, tooLittle);
    long ownRelay = tooLittle.virtualSize();
    expect(true, Lane.spendPlain(spent).pay(VALUE - 3 * FEE - ownRelay, TO).build());
    assertThat(node().mempool()).doesNotContain(parent.txid(), child.txid());
  }

  /** Core's rule 6: a higher fee is not enough if the transaction is so much larger. */
  @Test
  void aReplacementPaysAHigherRateThanTheReplaced() {
    OutPoint spent = coin();
    Tx first = Lane.spendPlain(spent).pay(VALUE - FEE, TO).build();
    expect(true, first);
    TxBuilder larger = Lane.spendPlain(spent);
    for (int i = 0; i < 60; i++) {
      larger.pay((VALUE - 4 * FEE) / 60, TO);
    }
    Tx lowRate = larger.build();
    long paid = VALUE - lowRate.outputs().stream().mapToLong(Tx.Output::value).sum();
    assertThat(paid).isGreaterThan(FEE + lowRate.virtualSize());
    assertThat(paid * first.virtualSize()).isLessThan(FEE * lowRate.virtualSize());
    expect(false, lowRate);
    assertThat(node().holds(first)).isTrue();
  }

  @Test
  void aReplacementMayNotSpendTheTransactionItReplaces() {
    OutPoint spent = coin();
    Tx first = Lane.spendPlain(spent).pay(VALUE - FEE, Lane.PLAIN_SCRIPT).build();
    expect(true, first);
    expect(false, Lane.spendPlain(spent, first.outPoint(0)).pay(2 * VALUE - 20 * FEE, TO).build());
    assertThat(node().holds(first)).isTrue();
  }

  @Test
  void oneTransactionMayReplaceTwo() {
    OutPoint one = coin();
    OutPoint other = coin();
    Tx first = Lane.spendPlain(one).pay(VALUE - FEE, TO).build();
    Tx second = Lane.spendPlain(other).pay(VALUE - FEE, TO).build();
    expect(true, first);
    expect(true, second);
    expect(false, Lane.spendPlain(one, other).pay(2 * VALUE - 2 * FEE, TO).build());
    expect(true, Lane.spendPlain(one, other).pay(2 * VALUE - 4 * FEE, TO).build());
    assertThat(node().mempool()).doesNotContain(first.txid(), second.txid());
  }

  @Test
  void aReplacedTransactionFreesItsOtherInputs() {
    OutPoint one = coin();
    OutPoint other = coin();
    Tx both = Lane.spendPlain(one, other).pay(2 * VALUE - FEE, TO).build();
    expect(true, both);
    Tx better = Lane.spendPlain(one).pay(VALUE - 2 * FEE, TO).build();
    expect(true, better);
    // Pays less than the replaced one, which is gone: it conflicts with nothing.
    expect(true, Lane.spendPlain(other).pay(VALUE - FEE / 2, TO).build());
    assertThat(node().holds(better)).isTrue();
    assertThat(node().mempool()).doesNotContain(both.txid());
  }

  @Test
  void replacesNonSignallingTransactionsToo() {
    OutPoint spent = coin();
    expect(true, once(spent, VALUE - FEE));
    expect(true, once(spent, VALUE - 3 * FEE));
  }

  private static Tx once(OutPoint spent, long value) {
    return new TxBuilder()
        .spend(spent, Bytes.EMPTY, FINAL, List.of(Lane.PLAIN_WITNESS))
        .pay(value, TO)
        .build();
  }

  @Test
  void refusesTimeLockedTransactions() {
    expect(true, free().lockTime(height).pay(VALUE - FEE, TO).build());
    expect(false, free().lockTime(height + 1).pay(VALUE - FEE, TO).build());
    expect(false, free().lockTime(2_000_000_000).pay(VALUE - FEE, TO).build());
    // The coin is two blocks deep: the third block may spend it, but not the fourth alone.
    expect(true, after(2));
    expect(false, after(3));
  }

  private Tx after(int sequence) {
    return new TxBuilder()
        .spend(coin(), Bytes.EMPTY, sequence, List.of(Lane.PLAIN_WITNESS))
        .pay(VALUE - FEE, TO)
        .build();
  }

  /** BIP-0068: from the median time before the coin's block, in units of 512 seconds. */
  @Test
  void refusesACoinThatIsTooYoungInSeconds() {
    assertThat(units).as("a lock that has passed").isPositive();
    expect(true, after(IN_SECONDS | units));
    expect(false, after(IN_SECONDS | (units + 1)));
    // The highest bit disables the lock, and version 1 knows none.
    expect(true, after(1 << 31 | IN_SECONDS | (units + 1)));
    byte[] old = after(IN_SECONDS | (units + 1)).raw().toArray();
    old[0] = 1;
    expect(true, Tx.parse(Bytes.wrap(old)));
  }

  /** Its parent will be in the next block at the earliest. */
  @ParameterizedTest
  @ValueSource(ints = {1, IN_SECONDS | 1})
  void refusesAChildThatMustWaitForItsParent(int sequence) {
    Tx parent = free().pay(VALUE - FEE, Lane.PLAIN_SCRIPT).build();
    expect(true, parent);
    OutPoint spent = parent.outPoint(0);
    expect(false, childOf(spent, sequence));
    expect(true, childOf(spent, sequence & IN_SECONDS));
  }

  private static Tx childOf(OutPoint spent, int sequence) {
    return new TxBuilder()
        .spend(spent, Bytes.EMPTY, sequence, List.of(Lane.PLAIN_WITNESS))
        .pay(VALUE - 2 * FEE, TO)
        .build();
  }

  /** Transactions of a version. */
  static Stream<Integer> versions() {
    return Stream.of(0, 1, 2, 3, 4, -1);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void takesStandardVersions(int version) {
    byte[] bytes = free().pay(VALUE - FEE, TO).build().raw().toArray();
    bytes[0] = (byte) version;
    if (version < 0) {
      Arrays.fill(bytes, 0, 4, (byte) 0xff);
    }
    expect(version >= 1 && version <= 3, Tx.parse(Bytes.wrap(bytes)));
  }

  @Test
  void refusesTooLargeInput() {
    TxBuilder many = free();
    for (int i = 0; i < 3_300; i++) {
      many.pay(294, TO);
    }
    Tx tx = many.build();
    assertThat(tx.weight()).isGreaterThan(400_000);
    expect(false, tx);
  }
}
