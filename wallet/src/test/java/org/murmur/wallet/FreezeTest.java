package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.label.LabelMap;
import org.murmur.coins.label.LabelOrigin;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** Coins that the user excludes from payments. */
@Timeout(120)
final class FreezeTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private static BuiltChain chain() {
    return ChainBuilder.ofSeed(5)
        .blocks(150)
        .transactionsPerBlock(3)
        .wallet(Lives.lively(RECIPE, 30))
        .build();
  }

  private static SyncOptions to(RegtestNode node) {
    return SyncOptions.connect(node.address())
        .limits(limits -> limits.mempoolWait(Duration.ofMillis(100)));
  }

  private static List<OutPoint> frozen(SpvWallet wallet) {
    return wallet.coins().list().stream()
        .filter(WalletCoin::frozen)
        .map(WalletCoin::outPoint)
        .collect(Collectors.toList());
  }

  /** The last one that came in: a reorganisation takes it out of its block. */
  private static OutPoint youngest(SpvWallet wallet) {
    return wallet.coins().list().stream()
        .filter(coin -> coin.height().isPresent() && !coin.coinbase())
        .max(Comparator.comparingInt(coin -> coin.height().getAsInt()))
        .orElseThrow()
        .outPoint();
  }

  @Test
  void staysFrozenUntilItIsFreed() throws Exception {
    try (RegtestNode node = RegtestNode.start(chain().chain())) {
      OutPoint coin;
      Balance balance;
      try (SpvWallet wallet = SpvWallet.create(file(), RECIPE)) {
        wallet.sync(to(node), SyncListener.NONE);
        assertThat(frozen(wallet)).isEmpty();
        coin = youngest(wallet);
        balance = wallet.balance();
        assertThat(wallet.coins().freeze(coin)).isTrue();
        assertThat(wallet.coins().freeze(coin)).isFalse();
        assertThat(frozen(wallet)).containsExactly(coin);
        assertThat(wallet.balance()).isEqualTo(balance);
      }
      node.reorg(145, 146, RegtestNode.Orphaned.TO_MEMPOOL);
      try (SpvWallet wallet = SpvWallet.open(file())) {
        assertThat(frozen(wallet)).containsExactly(coin);
        wallet.sync(to(node), SyncListener.NONE);
        WalletCoin now = coin(wallet, coin);
        assertThat(now.height()).as("the reorganisation took its block").isEmpty();
        assertThat(now.frozen()).isTrue();
        wallet.rescan(new Birthday.AtHeight(0), to(node), SyncListener.NONE);
        assertThat(frozen(wallet)).containsExactly(coin);
        assertThat(wallet.coins().unfreeze(coin)).isTrue();
        assertThat(wallet.coins().unfreeze(coin)).isFalse();
        assertThat(frozen(wallet)).isEmpty();
      }
    }
  }

  /** The label, the list of coins and a payment of everything agree, whoever wrote the record. */
  @Test
  void labelsCoinsAndPaymentsAgree() throws Exception {
    List<WalletRecipe> forms =
        List.of(
            RECIPE,
            WalletRecipe.watching(ChainParams.REGTEST, bareKey()),
            WalletRecipe.ofDescriptors(ChainParams.REGTEST, RECIPE.descriptors()));
    List<String> origins =
        List.of(
            "",
            ORIGIN_OF_ANOTHER,
            LabelOrigin.of(RECIPE.descriptors().get(0).canonical()).orElse(""));
    SplittableRandom random = new SplittableRandom(30);
    try (RegtestNode node = RegtestNode.start(chain().chain())) {
      for (int form = 0; form < forms.size(); form++) {
        try (SpvWallet wallet = SpvWallet.create(folder.resolve("form" + form), forms.get(form))) {
          wallet.sync(to(node), SyncListener.NONE);
          Set<OutPoint> all = all(wallet);
          assertThat(all).hasSizeGreaterThan(2);
          List<OutPoint> inOrder =
              all.stream().sorted(Comparator.comparing(OutPoint::toString)).toList();
          for (int i = 0; i < 40; i++) {
            OutPoint coin = inOrder.get(random.nextInt(all.size()));
            switch (random.nextInt(4)) {
              case 0 -> wallet.coins().freeze(coin);
              case 1 -> wallet.coins().unfreeze(coin);
              default ->
                  wallet
                      .labels()
                      .importLines(
                          List.of(
                              "{\"type\":\"output\",\"ref\":\""
                                  + coin
                                  + "\",\"origin\":\""
                                  + origins.get(random.nextInt(origins.size()))
                                  + "\",\"spendable\":"
                                  + random.nextBoolean()
                                  + "}"));
            }
            agrees(wallet, all, "form " + form + ", step " + i);
          }
        }
      }
    }
  }

  /** What one wallet must not spend is frozen in its other forms, and can be freed there. */
  @Test
  void aRecordOfAnotherFormOfTheWalletFreezesACoin() throws Exception {
    try (RegtestNode node = RegtestNode.start(chain().chain());
        SpvWallet wallet =
            SpvWallet.create(file(), WalletRecipe.watching(ChainParams.REGTEST, bareKey()))) {
      wallet.sync(to(node), SyncListener.NONE);
      OutPoint coin = youngest(wallet);
      wallet
          .labels()
          .importLines(
              List.of(
                  "{\"type\":\"output\",\"ref\":\""
                      + coin
                      + "\",\"spendable\":false,\"origin\":\"wpkh([73c5da0a/84h/1h/0h])\"}"));
      assertThat(frozen(wallet)).containsExactly(coin);
      assertThat(wallet.coins().unfreeze(coin)).isTrue();
      assertThat(frozen(wallet)).isEmpty();
      assertThat(wallet.coins().freeze(coin)).isTrue();
      assertThat(frozen(wallet)).containsExactly(coin);
    }
  }

  private static final String ORIGIN_OF_ANOTHER = "wpkh([d34db33f/84'/0'/0'])";

  /** An extended key without a word of where it is from. */
  private static String bareKey() {
    String descriptor = RECIPE.descriptors().get(0).canonical();
    Matcher key = Pattern.compile("[tv]pub[1-9A-HJ-NP-Za-km-z]+").matcher(descriptor);
    assertThat(key.find()).isTrue();
    return "wpkh(" + key.group() + "/0/*)";
  }

  private static PaymentOrder everything() {
    return PaymentOrder.of(
        List.of(Payees.all(Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6"))),
        FeeRate.satPerVb(1));
  }

  private static Set<OutPoint> all(SpvWallet wallet) throws Exception {
    return Set.copyOf(wallet.payments().plan(everything()).coins());
  }

  private static void agrees(SpvWallet wallet, Set<OutPoint> all, String what) throws Exception {
    Set<OutPoint> spends;
    try {
      spends = all(wallet);
    } catch (PaymentRefusedException e) {
      spends = Set.of();
    }
    LabelMap inForce = wallet.labels().inForce();
    for (WalletCoin coin : wallet.coins().list()) {
      LabelRef ref = LabelRef.of(coin.outPoint());
      assertThat(wallet.labels().of(ref).frozen()).as(what).isEqualTo(coin.frozen());
      assertThat(inForce.of(ref).frozen()).as(what).isEqualTo(coin.frozen());
      if (all.contains(coin.outPoint())) {
        assertThat(spends.contains(coin.outPoint())).as(what).isEqualTo(!coin.frozen());
      }
    }
  }

  private static WalletCoin coin(SpvWallet wallet, OutPoint outPoint) {
    return wallet.coins().list().stream()
        .filter(coin -> coin.outPoint().equals(outPoint))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void saysWhyAnOutpointIsNoCoin() throws Exception {
    try (RegtestNode node = RegtestNode.start(chain().chain());
        SpvWallet wallet = SpvWallet.create(file(), RECIPE)) {
      wallet.sync(to(node), SyncListener.NONE);
      OutPoint unknown = new OutPoint(Hash256.ZERO, 7);
      WalletException none =
          catchThrowableOfType(WalletException.class, () -> wallet.coins().freeze(unknown));
      assertThat(none.kind()).isEqualTo(WalletException.Kind.NOT_FOUND);
      assertThat(none).hasMessageContaining("has no coin " + unknown);
      TransactionDetail spending = spending(wallet);
      OutPoint spent = spending.spent().get(0).coin();
      for (boolean freeze : new boolean[] {true, false}) {
        WalletException gone =
            catchThrowableOfType(
                WalletException.class,
                () -> {
                  boolean changed =
                      freeze ? wallet.coins().freeze(spent) : wallet.coins().unfreeze(spent);
                  assertThat(changed).isFalse();
                });
        assertThat(gone.kind()).isEqualTo(WalletException.Kind.TOO_LATE);
        assertThat(gone).hasMessageContaining("is spent by transaction " + spending.tx().txid());
      }
      OutPoint foreign = new OutPoint(spent.txid(), 4_000);
      assertThat(
              catchThrowableOfType(WalletException.class, () -> wallet.coins().freeze(foreign))
                  .kind())
          .isEqualTo(WalletException.Kind.NOT_FOUND);
    }
  }

  private static TransactionDetail spending(SpvWallet wallet) {
    for (var entry : wallet.history().list()) {
      TransactionDetail detail = wallet.history().transaction(entry.txid()).orElseThrow();
      if (!detail.spent().isEmpty()) {
        return detail;
      }
    }
    throw new AssertionError("nothing was spent");
  }
}
