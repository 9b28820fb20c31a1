package org.murmur.wallet.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.murmur.wallet.ledger.TxStatus.CONFIRMED;
import static org.murmur.wallet.ledger.TxStatus.DEAD;
import static org.murmur.wallet.ledger.TxStatus.MISSING;
import static org.murmur.wallet.ledger.TxStatus.PENDING;
import static org.murmur.wallet.ledger.TxStatus.REPLACED;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;

/** Situations by name, in a small language of transactions. */
final class LedgerTest {

  private final Map<String, Tx> named = new HashMap<>();
  private final Ledger ledger = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
  private int tip = 1000;
  private int salt;

  /**
   * Makes a transaction {@code NAME < INPUT… > OUTPUT…}: an input is {@code name.index}, {@code
   * ext7} for a foreign outpoint or {@code coinbase}; an output is {@code own100} or {@code
   * far100}. A name that begins with {@code forged} is of one whose signatures are wrong.
   */
  private Tx tx(String text) {
    String[] words = text.split(" ", -1);
    TxBuilder builder = new TxBuilder();
    boolean outputs = false;
    for (int i = 2; i < words.length; i++) {
      if (words[i].equals(">")) {
        outputs = true;
      } else if (outputs) {
        Bytes script = LedgerWorld.script(words[i].startsWith("own") ? 1 : 9);
        builder.pay(Long.parseLong(words[i].substring(3)), script);
      } else if (words[i].equals("coinbase")) {
        builder.spend(new OutPoint(Hash256.ZERO, -1), Bytes.of(new byte[] {1, 2}), -1, List.of());
      } else {
        builder.spend(outPoint(words[i]));
      }
    }
    Tx tx = builder.lockTime(words[0].startsWith("forged") ? - ++salt : ++salt).build();
    named.put(words[0], tx);
    return tx;
  }

  private Tx txNamed(String name) {
    return Objects.requireNonNull(named.get(name), name);
  }

  private OutPoint outPoint(String text) {
    if (text.startsWith("ext")) {
      byte[] txid = new byte[32];
      txid[0] = (byte) Integer.parseInt(text.substring(3));
      txid[31] = 1;
      return new OutPoint(Hash256.ofInternal(txid), 0);
    }
    String[] parts = text.split("\\.", -1);
    return txNamed(parts[0]).outPoint(Integer.parseInt(parts[1]));
  }

  /**
   * Runs commands, one after another: {@code +NAME} mines a block with it (several with commas
   * between), {@code ~NAME} relays it, {@code ?NAME} misses it in a whole memory pool, {@code -N}
   * disconnects N blocks.
   */
  private LedgerChange play(String... events) {
    LedgerChange change = LedgerChange.NONE;
    for (String event : events) {
      String what = event.substring(1);
      List<LedgerInput.Mined> mined = new ArrayList<>();
      List<Tx> pending = new ArrayList<>();
      List<Hash256> missing = new ArrayList<>();
      int fork = tip;
      if (event.startsWith("+")) {
        tip++;
        int position = 0;
        for (String name : what.split(",", -1)) {
          if (!name.isEmpty()) {
            Hash256 hash = LedgerWorld.blockHash(tip, ++salt);
            Confirmation where = new Confirmation(tip, hash, position++, tip);
            mined.add(new LedgerInput.Mined(txNamed(name), where));
          }
        }
      } else if (event.startsWith("~")) {
        for (String name : what.split(",", -1)) {
          pending.add(txNamed(name));
        }
      } else if (event.startsWith("?")) {
        missing.add(txNamed(what).txid());
      } else {
        tip -= Integer.parseInt(what);
        fork = tip;
      }
      change =
          ledger.apply(
              LedgerInput.ofPeers(fork, tip, mined, pending, missing, 5), OwnScripts.Growth.NONE);
    }
    return change;
  }

  private TxStatus status(String name) {
    return ledger.status(txNamed(name).txid());
  }

  /** A situation: the events, and the expected result. */
  record Situation(
      String name,
      List<String> txs,
      List<String> events,
      Map<String, TxStatus> expected,
      Balance balance) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Situation> situations() {
    List<String> bump =
        List.of("A < ext1 > own100", "B < A.0 > own90", "A2 < ext1 > own80", "C < B.0 > far80");
    List<String> spend =
        List.of(
            "F < ext1 > own100",
            "S < F.0 > own60 far30",
            "S2 < F.0 > own50 far30",
            "T < S.0 > far50");
    List<String> mint = List.of("M < coinbase > own50", "S < M.0 > own40", "T < S.0 > own30");
    return Stream.of(
        new Situation(
            "incoming payment, pending",
            bump,
            List.of("~A"),
            Map.of("A", PENDING),
            new Balance(0, 100, 0, 0)),
        new Situation(
            "incoming payment, confirmed",
            bump,
            List.of("~A", "+A"),
            Map.of("A", CONFIRMED),
            new Balance(100, 0, 0, 0)),
        new Situation(
            "own spend, pending: the fee counts",
            spend,
            List.of("+F", "~S"),
            Map.of("F", CONFIRMED, "S", PENDING),
            new Balance(100, -40, 0, 0)),
        new Situation(
            "a peer invents a spend of an own coin",
            List.of("F < ext1 > own100", "forged < F.0 > far100"),
            List.of("+F", "~forged"),
            Map.of("F", CONFIRMED),
            new Balance(100, 0, 0, 0)),
        new Situation(
            "a peer invents a spend that makes coins",
            List.of("F < ext1 > own100", "S < F.0 > own2000"),
            List.of("+F", "~S"),
            Map.of("F", CONFIRMED),
            new Balance(100, 0, 0, 0)),
        new Situation(
            "a block holds what nobody could check",
            List.of("F < ext1 > own100", "forged < F.0 > far100"),
            List.of("+F", "~forged", "+forged"),
            Map.of("F", CONFIRMED, "forged", CONFIRMED),
            new Balance(0, 0, 0, 0)),
        new Situation(
            "a block vouches for it, also after a reorganisation",
            List.of("F < ext1 > own100", "forged < F.0 > far100"),
            List.of("+F", "+forged", "-1"),
            Map.of("F", CONFIRMED, "forged", PENDING),
            new Balance(100, -100, 0, 0)),
        new Situation(
            "a spend of foreign coins that nobody can check displaces no own payment",
            List.of("F < ext1 > own100", "J < F.0 ext2 > far120 own60", "X < ext2 > far80"),
            List.of("+F", "~J", "~X"),
            Map.of("F", CONFIRMED, "J", PENDING, "X", REPLACED),
            new Balance(100, -40, 0, 0)),
        new Situation(
            "it counts when the peers deny the own payment",
            List.of("F < ext1 > own100", "J < F.0 ext2 > far120 own60", "X < ext2 > far80"),
            List.of("+F", "~J", "~X", "?J"),
            Map.of("F", CONFIRMED, "J", REPLACED, "X", PENDING),
            new Balance(100, 0, 0, 0)),
        new Situation(
            "it counts in a block",
            List.of("F < ext1 > own100", "J < F.0 ext2 > far120 own60", "X < ext2 > far80"),
            List.of("+F", "~J", "~X", "+X"),
            Map.of("F", CONFIRMED, "J", REPLACED, "X", CONFIRMED),
            new Balance(100, 0, 0, 0)),
        new Situation(
            "what a former block held gives way to what its owner signed",
            List.of("F < ext1 > own100", "S < F.0 > own60 far30", "forged < F.0 > far10 own80"),
            List.of("+F", "~S", "+forged", "-1"),
            Map.of("F", CONFIRMED, "S", PENDING, "forged", REPLACED),
            new Balance(100, -40, 0, 0)),
        new Situation(
            "a peer repeats a payment that a higher fee replaced",
            spend,
            List.of("+F", "~S", "~S2", "~S"),
            Map.of("F", CONFIRMED, "S", REPLACED, "S2", PENDING),
            new Balance(100, -50, 0, 0)),
        new Situation(
            "a lower fee came later",
            spend,
            List.of("+F", "~S2", "~S", "~T"),
            Map.of("F", CONFIRMED, "S", REPLACED, "S2", PENDING, "T", DEAD),
            new Balance(100, -50, 0, 0)),
        new Situation(
            "the replacement is missing, so the payment counts again",
            spend,
            List.of("+F", "~S", "~S2", "?S2", "~S"),
            Map.of("F", CONFIRMED, "S", PENDING, "S2", REPLACED),
            new Balance(100, -40, 0, 0)),
        new Situation(
            "sweep without change, pending",
            spend,
            List.of("+F", "~S", "~T"),
            Map.of("F", CONFIRMED, "S", PENDING, "T", PENDING),
            new Balance(100, -100, 0, 0)),
        new Situation(
            "sweep without change, confirmed",
            spend,
            List.of("+F", "+S", "+T"),
            Map.of("F", CONFIRMED, "S", CONFIRMED, "T", CONFIRMED),
            new Balance(0, 0, 0, 0)),
        new Situation(
            "spent in the block that paid it",
            spend,
            List.of("+F,S,T"),
            Map.of("F", CONFIRMED, "S", CONFIRMED, "T", CONFIRMED),
            new Balance(0, 0, 0, 0)),
        new Situation(
            "spent in the block that paid it, told in reverse",
            spend,
            List.of("+T,S,F"),
            Map.of("F", CONFIRMED, "S", CONFIRMED, "T", CONFIRMED),
            new Balance(0, 0, 0, 0)),
        new Situation(
            "a pending payment that a block already spends: it is somewhere in the chain",
            spend,
            List.of("~F", "+S"),
            Map.of("F", PENDING, "S", CONFIRMED),
            new Balance(60, 0, 0, 0)),
        new Situation(
            "fee bump: the later counts, children die",
            bump,
            List.of("~A", "~B", "~C", "~A2"),
            Map.of("A", REPLACED, "B", DEAD, "C", DEAD, "A2", PENDING),
            new Balance(0, 80, 0, 0)),
        new Situation(
            "the bumped one is seen again with a child: it counts again",
            bump,
            List.of("~A", "~A2", "~B"),
            Map.of("A", PENDING, "B", PENDING, "A2", REPLACED),
            new Balance(0, 90, 0, 0)),
        new Situation(
            "the bump is missing, too: no peer is known to have what it replaced",
            bump,
            List.of("~A", "~B", "~A2", "?A2"),
            Map.of("A", REPLACED, "B", DEAD, "A2", MISSING),
            Balance.ZERO),
        new Situation(
            "… until a peer relays that again",
            bump,
            List.of("~A", "~A2", "?A2", "~A"),
            Map.of("A", PENDING, "A2", REPLACED),
            new Balance(0, 100, 0, 0)),
        new Situation(
            "… or what builds on it",
            bump,
            List.of("~A", "~A2", "?A2", "~B"),
            Map.of("A", PENDING, "B", PENDING, "A2", REPLACED),
            new Balance(0, 90, 0, 0)),
        new Situation(
            "… or a block leaves the chain that held it",
            bump,
            List.of("~A", "~A2", "?A2", "+A", "-1"),
            Map.of("A", PENDING, "A2", REPLACED),
            new Balance(0, 100, 0, 0)),
        new Situation(
            "one of two own spends is missing: the other one may be confirmed, so its coin is kept",
            spend,
            List.of("+F", "~S", "~S2", "?S2"),
            Map.of("S", PENDING, "S2", REPLACED),
            new Balance(100, -40, 0, 0)),
        new Situation(
            "the first is confirmed after all",
            bump,
            List.of("~A", "~A2", "+A"),
            Map.of("A", CONFIRMED, "A2", REPLACED),
            new Balance(100, 0, 0, 0)),
        new Situation(
            "the bump is confirmed",
            bump,
            List.of("~A", "~B", "+A2"),
            Map.of("A", REPLACED, "B", DEAD, "A2", CONFIRMED),
            new Balance(80, 0, 0, 0)),
        new Situation(
            "two spends of one coin",
            spend,
            List.of("+F", "~S", "~T", "~S2"),
            Map.of("S", REPLACED, "T", DEAD, "S2", PENDING),
            new Balance(100, -50, 0, 0)),
        new Situation(
            "the bump is confirmed and reorganised out: it stays the one that counts",
            bump,
            List.of("~A", "+A2", "-1"),
            Map.of("A", REPLACED, "A2", PENDING),
            new Balance(0, 80, 0, 0)),
        new Situation(
            "… until the other one is seen again",
            bump,
            List.of("~A", "+A2", "-1", "~A"),
            Map.of("A", PENDING, "A2", REPLACED),
            new Balance(0, 100, 0, 0)),
        new Situation(
            "reorganised out, pending again",
            spend,
            List.of("+F", "+S", "-1"),
            Map.of("F", CONFIRMED, "S", PENDING),
            new Balance(100, -40, 0, 0)),
        new Situation(
            "reorganised into another block",
            spend,
            List.of("+F", "+S", "-2", "+", "+F", "+S"),
            Map.of("F", CONFIRMED, "S", CONFIRMED),
            new Balance(60, 0, 0, 0)),
        new Situation(
            "a coinbase that is reorganised out dies with what spends it",
            mint,
            List.of("+M", "~S", "~T", "-1"),
            Map.of("M", DEAD, "S", DEAD, "T", DEAD),
            Balance.ZERO),
        new Situation(
            "… and lives again with its block",
            mint,
            List.of("+M", "~S", "-1", "+M"),
            Map.of("M", CONFIRMED, "S", PENDING),
            new Balance(0, -10, 50, 0)),
        new Situation(
            "missing in a whole memory pool: it counts no more, nor what builds on it",
            bump,
            List.of("~A", "~B", "?A"),
            Map.of("A", MISSING, "B", DEAD),
            Balance.ZERO),
        new Situation(
            "missing, but a block holds what spends it: its own block is not scanned yet",
            bump,
            List.of("~A", "~B", "?A", "+B"),
            Map.of("A", PENDING, "B", CONFIRMED),
            new Balance(90, 0, 0, 0)),
        new Situation(
            "… until somebody relays it again",
            bump,
            List.of("~A", "~B", "?A", "~A"),
            Map.of("A", PENDING, "B", PENDING),
            new Balance(0, 90, 0, 0)),
        new Situation(
            "… or confirms it; being confirmed, it is not missed",
            bump,
            List.of("~A", "?A", "+A", "?A", "-1"),
            Map.of("A", PENDING),
            new Balance(0, 100, 0, 0)),
        new Situation(
            "a spend whose coin is not known yet counts its change",
            spend,
            List.of("~S"),
            Map.of("S", PENDING),
            new Balance(0, 60, 0, 0)),
        new Situation(
            "… and its cost once the coin is known",
            spend,
            List.of("~S", "+F"),
            Map.of("S", PENDING, "F", CONFIRMED),
            new Balance(100, -40, 0, 0)));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void comesTo(Situation situation) {
    situation.txs().forEach(this::tx);
    play(situation.events().toArray(String[]::new));
    Map<String, TxStatus> actual = new HashMap<>();
    situation.expected().keySet().forEach(name -> actual.put(name, status(name)));
    assertThat(actual).isEqualTo(situation.expected());
    assertThat(ledger.balance(tip)).isEqualTo(situation.balance());
  }

  /** Core's wallet, not consensus: COINBASE_MATURITY + 1 confirmations. */
  @Test
  void holdsACoinbaseImmatureForAHundredConfirmations() {
    tx("M < coinbase > own50");
    play("+M");
    assertThat(ledger.balance(tip + 98)).isEqualTo(new Balance(0, 0, 50, 0));
    assertThat(ledger.balance(tip + 99)).isEqualTo(new Balance(0, 0, 50, 0));
    assertThat(ledger.balance(tip + 100)).isEqualTo(new Balance(50, 0, 0, 0));
    assertThat(ledger.unspent(tip + 99).get(0).immature()).isTrue();
    assertThat(ledger.unspent(tip + 100).get(0).immature()).isFalse();
  }

  @Test
  void noticesAReplacementThatDoesNotPayUs() {
    tx("A < ext1 ext2 > own100");
    tx("away < ext2 > far100");
    LedgerChange seen = play("~A");
    assertThat(seen.watches())
        .containsExactlyInAnyOrder(
            new Watch(txNamed("A").outPoint(0), 1, tip + 1, Watch.OPEN),
            new Watch(outPoint("ext1"), OwnScripts.FOREIGN, tip + 1, Watch.OPEN),
            new Watch(outPoint("ext2"), OwnScripts.FOREIGN, tip + 1, Watch.OPEN));
    LedgerChange gone = play("+away");
    assertThat(status("A")).isEqualTo(REPLACED);
    assertThat(ledger.balance(tip)).isEqualTo(Balance.ZERO);
    assertThat(gone.relevant()).isZero();
    assertThat(gone.transitions())
        .containsExactly(new LedgerChange.Transition(txNamed("A").txid(), PENDING, REPLACED));
    assertThat(ledger.replacement(txNamed("A").txid()))
        .isEqualTo(
            new Replacement(txNamed("away").txid(), OptionalInt.of(tip), Replacement.Origin.OTHER));
    assertThat(ledger.transactions()).hasSize(1);
    assertThat(gone.watches()).contains(new Watch(outPoint("ext2"), OwnScripts.FOREIGN, tip, tip));
  }

  @Test
  void namesTheReplacementWhilePendingAndAgainInItsBlock() {
    tx("A < ext1 > own100");
    tx("away < ext1 > far100");
    play("~A");
    LedgerChange replaced = play("~away");
    assertThat(replaced.transitions()).hasSize(1);
    assertThat(ledger.replacement(txNamed("A").txid()))
        .isEqualTo(
            new Replacement(txNamed("away").txid(), OptionalInt.empty(), Replacement.Origin.OTHER));
    LedgerChange spent = play("+away");
    assertThat(spent.transitions())
        .containsExactly(new LedgerChange.Transition(txNamed("A").txid(), REPLACED, REPLACED));
    assertThat(ledger.replacement(txNamed("A").txid()))
        .isEqualTo(
            new Replacement(txNamed("away").txid(), OptionalInt.of(tip), Replacement.Origin.OTHER));
    assertThat(ledger.replacement(txNamed("away").txid())).isNull();
  }

  /** Without this report, a copy updated by the changes would have it at the old height. */
  @Test
  void reportsATransactionConfirmedInAnotherBlockAtOnce() {
    tx("A < ext1 > own100");
    play("+A");
    Tx tx = txNamed("A");
    int fork = tip - 1;
    List<LedgerInput.Mined> mined =
        List.of(
            new LedgerInput.Mined(
                tx, new Confirmation(fork + 2, LedgerWorld.blockHash(fork + 2, 77), 1, 1)));
    LedgerChange change =
        ledger.apply(
            LedgerInput.ofPeers(fork, fork + 2, mined, List.of(), List.of(), 0),
            OwnScripts.Growth.NONE);
    assertThat(change.transitions())
        .containsExactly(new LedgerChange.Transition(tx.txid(), CONFIRMED, CONFIRMED));
  }

  /** The replacing blocks can hold the conflict. */
  @Test
  void looksForReplacementsFromTheForkOn() {
    tx("A < ext1 > own100");
    play("~A");
    int fork = tip - 5;
    LedgerChange change = play("-5");
    assertThat(change.watches())
        .containsExactlyInAnyOrder(
            new Watch(txNamed("A").outPoint(0), 1, fork + 1, Watch.OPEN),
            new Watch(outPoint("ext1"), OwnScripts.FOREIGN, fork + 1, Watch.OPEN));
    assertThat(change.facts()).extracting(Fact::pendingSince).containsExactly(fork + 1);
    assertThat(change.transitions()).isEmpty();
  }

  @Test
  void forgetsIrrelevantTransactions() {
    tx("noise < ext1 > far100");
    LedgerChange change = play("+noise");
    assertThat(change.isEmpty()).isTrue();
    assertThat(ledger.facts()).isEmpty();
  }

  @Test
  void opensAndClosesTheWatchOfACoin() {
    tx("F < ext1 > own100");
    tx("S < F.0 > far90");
    OutPoint coin = txNamed("F").outPoint(0);
    play("+F");
    assertThat(ledger.watches()).containsExactly(new Watch(coin, 1, 1001, Watch.OPEN));
    play("+S");
    assertThat(ledger.watches()).containsExactly(new Watch(coin, 1, 1001, 1002));
    LedgerChange reopened = play("-1");
    assertThat(reopened.watches()).contains(new Watch(coin, 1, 1001, Watch.OPEN));
  }

  /** The new address of the third output is derived because of the second, in the same block. */
  @Test
  void adoptsScriptsDerivedInTheMiddleOfABatch() {
    int[] derived = {2};
    OwnScripts scripts =
        script -> {
          int number = LedgerWorld.find(script);
          return number < derived[0] ? number : OwnScripts.FOREIGN;
        };
    Ledger growing = new Ledger(scripts, LedgerWorld::isSigned);
    OwnScripts.Growth growth =
        (used, mined) -> {
          boolean grow = used.length() + 1 > derived[0] && derived[0] < LedgerWorld.OWN;
          derived[0] += grow ? 1 : 0;
          return grow;
        };
    Tx early = new TxBuilder().spend(outPoint("ext9")).pay(7, LedgerWorld.script(4)).build();
    Tx three = new TxBuilder().spend(outPoint("ext3")).pay(5, LedgerWorld.script(3)).build();
    Tx two = new TxBuilder().spend(outPoint("ext2")).pay(3, LedgerWorld.script(2)).build();
    Tx both =
        new TxBuilder()
            .spend(outPoint("ext1"))
            .pay(1, LedgerWorld.script(1))
            .pay(2, LedgerWorld.script(4))
            .build();
    List<LedgerInput.Mined> mined = new ArrayList<>();
    for (Tx tx : List.of(early, three, two, both)) {
      mined.add(
          new LedgerInput.Mined(
              tx, new Confirmation(1, LedgerWorld.blockHash(1, 1), mined.size(), 1)));
    }
    LedgerChange change =
        growing.apply(LedgerInput.ofPeers(0, 1, mined, List.of(), List.of(), 0), growth);
    assertThat(change.transitions()).hasSize(4);
    assertThat(growing.balance(1)).isEqualTo(new Balance(18, 0, 0, 0));
    assertThat(change.relevant()).isEqualTo(4);
    assertThat(change.watches()).hasSize(5);
    assertThat(growing.watches()).isEqualTo(Set.copyOf(change.watches()));
  }

  /** Its size is of use while it waits for a block. */
  @Test
  void prefersTheFormWithWitnessDataUntilABlockHoldsIt() {
    Tx full = withWitness(100);
    named.put("full", full);
    named.put("stripped", full.withoutWitness());
    play("~stripped", "~full", "~stripped");
    Fact fact = Objects.requireNonNull(ledger.fact(full.txid()));
    assertThat(fact.tx().hasWitness()).isTrue();
    play("+stripped", "~full");
    fact = Objects.requireNonNull(ledger.fact(full.txid()));
    assertThat(fact.tx().hasWitness()).isFalse();
    assertThat(fact.height()).isEqualTo(tip);
  }

  /** A txid does not cover it, so any peer can make a payment of others look large. */
  @Test
  void keepsNoWitnessDataThatNoSignaturesHave() {
    named.put("padded", withWitness(100_000));
    play("~padded");
    Fact fact = Objects.requireNonNull(ledger.fact(txNamed("padded").txid()));
    assertThat(fact.tx().hasWitness()).isFalse();
  }

  private Tx withWitness(int bytes) {
    return new TxBuilder()
        .spend(outPoint("ext1"), Bytes.EMPTY, -1, List.of(Bytes.of(new byte[bytes])))
        .pay(5, LedgerWorld.script(1))
        .build();
  }

  /** Invented payments, each from one separate input. */
  private List<Tx> madeUp(int count) {
    List<Tx> payments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] txid = new byte[32];
      txid[0] = (byte) ++salt;
      txid[1] = (byte) (salt >> 8);
      txid[31] = 2;
      payments.add(
          new TxBuilder()
              .spend(new OutPoint(Hash256.ofInternal(txid), 0))
              .pay(1, LedgerWorld.script(1))
              .build());
    }
    return payments;
  }

  private void abandon(Tx tx) {
    ledger.apply(LedgerInput.ofAbandoned(tip, tx.txid(), 5), OwnScripts.Growth.NONE);
  }

  private boolean isHeard(String name) {
    return Objects.requireNonNull(ledger.fact(txNamed(name).txid())).isHeard();
  }

  /** Peers fetch a payment and may refuse it silently. */
  @Test
  void aPaymentKnownToTheUserOnlyIsMarkedUntilAPeerHasIt() {
    tx("in < ext1 > own100");
    Tx out = tx("out < in.0 > far60 own30");
    play("+in");
    relay(List.of(out), true);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(100, -70, 0, -70));
    assertThat(isHeard("out")).isFalse();
    assertThat(play("~out").transitions()).hasSize(1);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(100, -70, 0, 0));
    // Sent once more it stays known to peers.
    relay(List.of(out), true);
    assertThat(isHeard("out")).isTrue();
    play("+out", "-1");
    assertThat(isHeard("out")).isTrue();
  }

  @Test
  void anAbandonedPaymentFreesItsCoinsAndCountsAgainWhenAPeerHasIt() {
    tx("in < ext1 > own100");
    Tx out = tx("out < in.0 > far60 own30");
    Tx next = tx("next < out.1 > far20 own9");
    play("+in");
    relay(List.of(out, next), true);
    assertThat(ledger.heardSpender(out.txid())).isEmpty();
    abandon(out);
    assertThat(status("out")).isEqualTo(TxStatus.ABANDONED);
    assertThat(status("next")).isEqualTo(TxStatus.DEAD);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(100, 0, 0, 0));
    assertThat(ledger.unspent(tip)).hasSize(1);
    Ledger again =
        Ledger.restore(LedgerWorld::find, LedgerWorld::isSigned, ledger.facts(), Archive.EMPTY);
    assertThat(again.status(out.txid())).isEqualTo(TxStatus.ABANDONED);
    // A peer that announces its child holds it.
    play("~out,next");
    assertThat(status("out")).isEqualTo(TxStatus.PENDING);
    assertThat(ledger.heardSpender(out.txid())).contains(next.txid());
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(100, -91, 0, 0));
    play("+out");
    abandon(out);
    assertThat(status("out")).isEqualTo(TxStatus.CONFIRMED);
  }

  /** Peers may have dropped it; only a block, a conflict or the user ends it. */
  @Test
  void whatTheUserSentStaysPendingWhenNoPeerHasItAnyMore() {
    tx("in < ext1 > own100");
    Tx out = tx("out < in.0 > far60 own30");
    play("+in");
    relay(List.of(out), true);
    assertThat(deny(List.of(out)).facts()).isEmpty();
    assertThat(repute("out")).isEqualTo(Repute.SENT);
    play("~out");
    assertThat(repute("out")).isEqualTo(Repute.RELAYED);
    assertThat(isHeard("out")).isTrue();
    assertThat(deny(List.of(out)).transitions()).hasSize(1);
    assertThat(repute("out")).isEqualTo(Repute.SENT);
    assertThat(status("out")).isEqualTo(PENDING);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(100, -70, 0, -70));
    abandon(out);
    assertThat(status("out")).isEqualTo(TxStatus.ABANDONED);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(100, 0, 0, 0));
  }

  /** Who sent it is known through blocks, reorganisations and restarts. */
  @Test
  void whatTheUserSentIsTheUsersStillAfterABlockThatLeftTheChain() {
    tx("in < ext1 > own100");
    Tx out = tx("out < in.0 > far60 own30");
    play("+in");
    relay(List.of(out), true);
    play("+out");
    assertThat(repute("out")).isEqualTo(Repute.RELAYED);
    play("-1");
    assertThat(repute("out")).isEqualTo(Repute.RELAYED);
    assertThat(repute("in")).isEqualTo(Repute.HEARD);
    assertThat(status("out")).isEqualTo(PENDING);
  }

  /** The user wants it no more, whoever else sends it. */
  @Test
  void whatWasAbandonedAndIsHeardOfIsNotTheUsersAnyMore() {
    tx("in < ext1 > own100");
    Tx out = tx("out < in.0 > far60 own30");
    play("+in");
    relay(List.of(out), true);
    abandon(out);
    play("~out");
    assertThat(repute("out")).isEqualTo(Repute.HEARD);
    deny(List.of(out));
    abandon(out);
    assertThat(isHeard("out")).isTrue();
    assertThat(status("out")).isEqualTo(MISSING);
    relay(List.of(out), true);
    assertThat(repute("out")).isEqualTo(Repute.SENT);
  }

  private Repute repute(String name) {
    return Objects.requireNonNull(ledger.fact(txNamed(name).txid())).repute();
  }

  private LedgerChange relay(List<Tx> txs, boolean sent) {
    return ledger.apply(
        new LedgerInput(
            tip,
            tip,
            List.of(),
            sent ? List.of() : txs,
            List.of(),
            5,
            sent ? txs : List.of(),
            List.of(),
            List.of()),
        OwnScripts.Growth.NONE);
  }

  private LedgerChange deny(List<Tx> txs) {
    List<Hash256> missing = txs.stream().map(Tx::txid).toList();
    return ledger.apply(
        LedgerInput.ofPeers(tip, tip, List.of(), List.of(), missing, 5), OwnScripts.Growth.NONE);
  }

  /** Transactions from before a flood stay, and later ones are found in a block at the latest. */
  @Test
  void aFloodOfInventedPaymentsEnds() {
    tx("A < ext1 > own100");
    tx("B < ext2 > own70");
    play("~A");
    List<Tx> flood = madeUp(UnconfirmedLimit.MAX_UNCONFIRMED + 500);
    relay(flood, false);
    assertThat(ledger.facts()).hasSize(UnconfirmedLimit.MAX_UNCONFIRMED);
    assertThat(status("A")).isEqualTo(PENDING);
    assertThat(play("~B").facts()).isEmpty();
    assertThat(ledger.fact(txNamed("B").txid())).isNull();
    play("+B");
    assertThat(status("B")).isEqualTo(CONFIRMED);
    assertThat(ledger.balance(tip).confirmed()).isEqualTo(70);
    play("+A");
    assertThat(ledger.balance(tip).confirmed()).isEqualTo(170);
  }

  /** Denied ones make room, the oldest first, and can come back. */
  @Test
  void missingTransactionsMakeRoom() {
    List<Tx> flood = madeUp(UnconfirmedLimit.MAX_UNCONFIRMED);
    relay(flood, false);
    deny(flood);
    tx("A < ext1 > own100");
    LedgerChange change = play("~A");
    assertThat(change.forgotten()).containsExactly(flood.get(0).txid());
    assertThat(ledger.facts()).hasSize(UnconfirmedLimit.MAX_UNCONFIRMED);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(0, 100, 0, 0));
    assertThat(relay(flood.subList(0, 1), false).forgotten()).containsExactly(flood.get(1).txid());
    assertThat(ledger.status(flood.get(0).txid())).isEqualTo(PENDING);
    assertThat(
            Ledger.restore(LedgerWorld::find, LedgerWorld::isSigned, ledger.facts(), Archive.EMPTY)
                .watches())
        .isEqualTo(ledger.watches());
  }

  @Test
  void bytesEndAFloodToo() {
    Bytes script = Bytes.wrap(new byte[90_000]);
    List<Tx> large = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      OutPoint input = madeUp(1).get(0).outPoint(0);
      large.add(
          new TxBuilder()
              .spend(input, script, -1, List.of())
              .pay(1, LedgerWorld.script(1))
              .build());
    }
    relay(large, false);
    assertThat(ledger.facts().stream().mapToLong(fact -> fact.tx().raw().length()).sum())
        .isBetween(
            UnconfirmedLimit.MAX_UNCONFIRMED_BYTES - 100_000,
            UnconfirmedLimit.MAX_UNCONFIRMED_BYTES);
  }

  /** A spend can be announced without a key; but the user's own transactions are never left out. */
  @Test
  void announcedSpendsOfOwnCoinsAreLimited() {
    tx("F < ext1 > own100");
    play("+F");
    List<Tx> spends = new ArrayList<>();
    for (int i = 0; i < UnconfirmedLimit.MAX_UNCONFIRMED + 10; i++) {
      spends.add(tx("S" + i + " < F.0 > far30"));
    }
    relay(spends, false);
    deny(spends);
    assertThat(ledger.facts()).hasSize(1 + UnconfirmedLimit.MAX_UNCONFIRMED);
    Tx last = spends.get(spends.size() - 1);
    assertThat(ledger.fact(last.txid())).isNull();
    assertThat(relay(List.of(last), true).forgotten()).isEmpty();
    assertThat(ledger.status(last.txid())).isEqualTo(PENDING);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(100, -100, 0, -100));
    // Spends and payments have separate room.
    tx("A < ext2 > own7");
    play("~A");
    assertThat(status("A")).isEqualTo(PENDING);
  }

  /** Without the payment the value of its spend would be unknown. */
  @Test
  void aTransactionWithDescendantsStays() {
    tx("A < ext1 > own100");
    tx("S < A.0 > far90");
    play("~A", "~S");
    List<Tx> flood = madeUp(UnconfirmedLimit.MAX_UNCONFIRMED - 1);
    relay(flood, false);
    play("?A");
    deny(flood);
    LedgerChange change = relay(madeUp(1), false);
    assertThat(change.forgotten()).containsExactly(flood.get(0).txid());
    assertThat(ledger.fact(txNamed("A").txid())).isNotNull();
  }
}
