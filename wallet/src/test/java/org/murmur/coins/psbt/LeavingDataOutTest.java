package org.murmur.coins.psbt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Amount;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.psbt.TestWallet.Spend;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.PsbtReview;
import org.murmur.wallet.pay.PsbtTerms;

/**
 * Data that is left out of a PSBT never permits what full data forbids: whoever made it chooses
 * what is in it.
 *
 * <p>It thins the maps of PSBTs, so it stands in their package; the review is the wallet's.
 */
final class LeavingDataOutTest {

  private static final TestWallet OURS = TestWallet.OURS;
  private static final TestWallet THEIRS = TestWallet.THEIRS;
  private static final List<OutputType> TYPES = List.of(OutputType.values());

  /** A payment of ours and of others, as its makers could have written it. */
  private static final class Case {

    final Psbt full;
    final Map<Hash256, Tx> known = new HashMap<>();
    final PsbtTerms terms;
    private final Random random;

    Case(long seed) {
      random = new Random(seed);
      Spend spend = Spend.of(any(), random);
      for (int i = random.nextInt(4); i > 0; i--) {
        spend.coin(random.nextBoolean() ? OURS : THEIRS, any());
      }
      // All fees from less than nothing to everything are as likely.
      long paid = 600 + (long) (random.nextDouble() * 1.1 * spend.value());
      Tx unsigned = spend.unsigned(paid, Bytes.ofHex("0014" + "22".repeat(20)));
      long fee = spend.value() - paid - 1_000;
      Psbt updated =
          PsbtUpdater.update(Psbt.create(unsigned), script -> Optional.empty(), spend::transaction);
      for (TestWallet each : List.of(OURS, THEIRS)) {
        updated = fee < 0 ? updated : PsbtUpdater.update(updated, each.own(), spend::transaction);
      }
      full = fee >= 0 && random.nextBoolean() ? signedByThem(updated) : updated;
      for (Tx.Input input : unsigned.inputs()) {
        if (random.nextInt(3) > 0) {
          Hash256 txid = input.outPoint().txid();
          known.put(txid, spend.transaction(txid).orElseThrow());
        }
      }
      long limit = Math.max(0, fee + random.nextInt(20_000) - 10_000);
      long rate = 1 + Math.max(0, fee) * 1_000 / (unsigned.virtualSize() + random.nextInt(400));
      PsbtTerms usual =
          PsbtTerms.USUAL.maxFee(random.nextInt(4) == 0 ? Amount.MAX : Amount.sat(limit));
      terms =
          random.nextBoolean()
              ? usual
              : new PsbtTerms(usual.maxFee(), FeeRate.satPerKvb(rate), false, false);
    }

    private Psbt signedByThem(Psbt psbt) {
      Psbt signed;
      try {
        signed = PsbtSigner.sign(psbt, THEIRS.own(), THEIRS.privateKeys()).psbt();
      } catch (PsbtException e) {
        return psbt;
      }
      return random.nextBoolean() ? PsbtFinalizer.finalise(signed) : signed;
    }

    private OutputType any() {
      return TYPES.get(random.nextInt(TYPES.size()));
    }

    /** Without a random part of what describes inputs and outputs. */
    Psbt less() {
      return new Psbt(full.maps().changed((i, input) -> thinned(input), (i, out) -> thinned(out)));
    }

    private FieldMap thinned(FieldMap map) {
      int kept = random.nextInt(5);
      return map.keep(entry -> random.nextInt(4) < kept);
    }

    /** With other wishes for the signatures. */
    Psbt wishing() {
      Bytes wish = Bytes.wrap(new byte[] {(byte) random.nextInt(4), 0, 0, 0});
      return new Psbt(
          full.maps()
              .changed(
                  (i, input) -> random.nextBoolean() ? input.with(Field.SIGHASH_TYPE, wish) : input,
                  (i, out) -> out));
    }

    PsbtReview look(Psbt psbt) {
      return PsbtReview.of(
          psbt, OURS.own(), txid -> Optional.ofNullable(known.get(txid)), KeyNetwork.REGTEST);
    }

    /** The number of signatures that a look promises. */
    int promised(Psbt psbt) {
      PsbtReview review;
      try {
        review = look(psbt);
      } catch (PsbtException e) {
        return 0;
      }
      return review.refusals(terms).isEmpty()
          ? (int)
              review.summary().inputs().stream()
                  .filter(input -> input.own().isPresent())
                  .filter(input -> input.state() != PsbtSummary.State.FINAL)
                  .count()
          : 0;
    }

    /** What was signed; why not, if nothing was. */
    Outcome outcome(Psbt psbt) {
      try {
        PsbtReview review = look(psbt);
        int signed = review.sign(terms, OURS.own(), OURS.privateKeys()).signed().size();
        return new Outcome(signed, signed == 0 ? "nothing" : "");
      } catch (PaymentRefusedException e) {
        return new Outcome(0, e.reason().getClass().getSimpleName());
      } catch (PsbtException e) {
        return new Outcome(0, e.reason().name());
      }
    }
  }

  private record Outcome(int signed, String why) {}

  @Property(tries = 400)
  void permitsNothing(@ForAll long seed) {
    Case each = new Case(seed);
    Outcome full = each.outcome(each.full);
    if (full.signed() == 0) {
      assertThat(each.outcome(each.less()).signed()).as(full.why()).isZero();
    }
  }

  /** {@code psbt show} and {@code psbt sign} agree: a look says what is signed, and why not. */
  @Property(tries = 400)
  void aLookSaysWhatIsSigned(@ForAll long seed) {
    Case each = new Case(seed);
    for (Psbt psbt : List.of(each.full, each.less(), each.wishing())) {
      Outcome outcome = each.outcome(psbt);
      assertThat(outcome.signed()).as(outcome.why()).isEqualTo(each.promised(psbt));
    }
  }

  /** A property over nothing holds: each kind of outcome is among the cases. */
  @Test
  void theCasesAreOfAllKinds() {
    Map<String, Integer> full = new TreeMap<>();
    Set<String> less = new HashSet<>();
    int lessSigned = 0;
    for (int seed = 0; seed < 200; seed++) {
      Case each = new Case(seed);
      full.merge(each.outcome(each.full).why(), 1, Integer::sum);
      Outcome left = each.outcome(each.less());
      less.add(left.why());
      lessSigned += left.signed() > 0 ? 1 : 0;
    }
    assertThat(full.keySet()).contains("", "NoPlan", "NEGATIVE_FEE");
    assertThat(less).contains("FeeUnknown", "nothing");
    assertThat(lessSigned).isPositive();
  }
}
