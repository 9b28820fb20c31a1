package org.murmur.sample

import android.os.Looper
import java.net.InetAddress
import java.net.UnknownHostException
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import java.util.concurrent.CountDownLatch
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import org.assertj.core.api.Assertions.assertThat
import org.junit.After
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import org.junit.runner.RunWith
import org.murmur.bip37.bytes.Hash256
import org.murmur.bip37.bytes.OutPoint
import org.murmur.bip37.tx.Amount
import org.murmur.coins.keys.Address
import org.murmur.coins.keys.KeyNetwork
import org.murmur.coins.spend.fee.FeeRate
import org.murmur.p2p.chain.Birthday
import org.murmur.p2p.chain.ChainParams
import org.murmur.p2p.sync.SyncEvent
import org.murmur.regtest.ChainBuilder
import org.murmur.regtest.RegtestNode
import org.murmur.regtest.chain.TxBuilder
import org.murmur.wallet.Credentials
import org.murmur.wallet.RunningSync
import org.murmur.wallet.SpvWallet
import org.murmur.wallet.sync.SyncOptions
import org.murmur.wallet.sync.SyncReport
import org.murmur.wallet.sync.WalletEvent
import org.murmur.wallet.sync.WalletEvent.Payment
import org.murmur.wallet.sync.WalletEvent.Payment.Change
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.LooperMode

/** What a phone does with a wallet: Android's main thread and SQLite, and an embedded node. */
@RunWith(RobolectricTestRunner::class)
@LooperMode(LooperMode.Mode.INSTRUMENTATION_TEST)
class PhoneWalletTest {

  @get:Rule val folder = TemporaryFolder()

  /** Its 111th block is of now: a new wallet looks at no earlier ones. */
  private val node =
      RegtestNode.start(
          ChainBuilder.ofSeed(9)
              .transactionsPerBlock(0)
              .blocks(1)
              .startingAt(Instant.now().minus(Duration.ofMinutes(1_110)))
              .build()
              .chain())
  private val wallets = mutableListOf<PhoneWallet>()
  private var spent = 0

  @Before
  fun mine() {
    node.mine(110)
  }

  @After
  fun close() {
    wallets.forEach { it.close() }
    node.close()
  }

  private fun file(name: String): Path = folder.root.toPath().resolve(name)

  private fun phone(wallet: SpvWallet, peers: SyncOptions = SyncOptions.connect(node.address())) =
      PhoneWallet(wallet, peers).also { wallets.add(it) }

  private fun created(name: String) = 
      phone(PhoneWallet.create(file(name), ChainParams.REGTEST, PhoneWallet.newWords()))

  private fun restored(name: String, words: String = WORDS) =
      PhoneWallet.restore(file(name), ChainParams.REGTEST, words, Birthday.AtHeight(1))

  private fun isOf(event: SyncEvent, change: Change, txid: Hash256) =
      event is Payment && event.change() == change && event.entry().txid() == txid

  /** Events as they come on the main thread, and not on any other. */
  private class Heard : (SyncEvent) -> Unit {
    private val events = LinkedBlockingQueue<SyncEvent>()
    private val elsewhere = LinkedBlockingQueue<Thread>()

    override fun invoke(event: SyncEvent) {
      if (Looper.myLooper() != Looper.getMainLooper()) elsewhere.add(Thread.currentThread())
      events.add(event)
    }

    fun await(wanted: (SyncEvent) -> Boolean): SyncEvent {
      while (true) {
        val event = events.poll(30, TimeUnit.SECONDS)
        assertThat(event).isNotNull
        assertThat(elsewhere).isEmpty()
        if (wanted(event!!)) return event
      }
    }
  }

  /** Pays from a coinbase that is anyone's. */
  private fun fund(wallet: SpvWallet, satoshi: Long) {
    spent++
    val coin = OutPoint(node.blockAt(spent + 1).tx(0).txid(), 0)
    val script = Address.parse(wallet.receive().current().address(), KeyNetwork.REGTEST).scriptPubKey()
    node.broadcast(TxBuilder().spend(coin).pay(satoshi, script).build())
  }

  private fun RunningSync.done() = use { assertThat(it.await().complete()).isTrue }

  @Test
  fun syncsPaysAndBumps() {
    val ours = created("ours")
    val theirs = created("theirs")
    fund(ours.wallet, 200_000)
    node.mine(1)
    val heard = Heard()
    ours.sync(1_000_000, Duration.ofMinutes(1), heard).done()
    heard.await { it is WalletEvent.Complete && it.balance().confirmed() == 200_000L }
    // Two wallets at once; the payment goes over the connection of the sync that follows.
    val both = listOf(Heard(), Heard())
    ours.follow(both[0]).use {
      theirs.follow(both[1]).use {
        both.forEach { one -> one.await { it is WalletEvent.Complete } }
        val payee = Address.parse(theirs.wallet.receive().current().address(), KeyNetwork.REGTEST)
        val first = ours.pay(ours.wallet.payments().plan(payee, Amount.sat(50_000), FeeRate.satPerVb(2)))
        assertThat(first.isAccepted).isTrue
        both[1].await { isOf(it, Change.SEEN, first.txid()) }
        val second = ours.pay(ours.planBump(first.txid(), FeeRate.satPerVb(9)))
        assertThat(second.isAccepted).isTrue
        both[1].await { isOf(it, Change.SEEN, second.txid()) }
        val mined = node.mine(1)[0]
        assertThat(mined.tx(1).txid()).isEqualTo(second.txid())
        both.forEach { one ->
          one.await { isOf(it, Change.CONFIRMED, second.txid()) }
        }
        assertThat(theirs.wallet.balance().confirmed()).isEqualTo(50_000)
      }
    }
    val fees = ours.wallet.history().list().sumOf { it.fee().orElse(0) }
    assertThat(ours.wallet.balance().confirmed()).isEqualTo(150_000 - fees)
  }

  @Test
  fun opensRestoresAndWatches() {
    val phone = created("w")
    fund(phone.wallet, 70_000)
    node.mine(1)
    phone.sync(1_000_000, Duration.ofMinutes(1), Heard()).done()
    val words = phone.wallet.keys().mnemonic(Credentials.NONE)
    val xpub = phone.wallet.keys().xpubs().single()
    phone.close()
    val again = PhoneWallet.open(file("w"))
    val restored = restored("r", words)
    val watching = PhoneWallet.watch(file("x"), ChainParams.REGTEST, xpub)
    for (wallet in listOf(again, restored, watching)) {
      phone(wallet).sync(1_000_000, Duration.ofMinutes(1), Heard()).done()
      assertThat(wallet.balance().confirmed()).isEqualTo(70_000)
      assertThat(wallet.history().list()).hasSize(1)
    }
    assertThat(watching.info().hasWords()).isFalse
    assertThat(restored.keys().mnemonic(Credentials.NONE)).isEqualTo(words)
  }

  @Test
  fun aBudgetEndsASyncAndTheNextOneGoesOn() {
    val phone = phone(restored("w"))
    fund(phone.wallet, 70_000)
    node.mine(3_000)
    val report = phone.sync(20_000, Duration.ofMinutes(1), Heard()).use { it.await() }
    assertThat(report.ending()).isEqualTo(SyncReport.Ending.MAX_BYTES)
    assertThat(report.complete()).isFalse
    phone.sync(10_000_000, Duration.ofMinutes(1), Heard()).done()
    assertThat(phone.wallet.balance().confirmed()).isEqualTo(70_000)
  }

  /** The phone is in a tunnel: no name can be looked up. */
  @Test
  fun startsOfflineAndGoesOnWhenTheNetworkIsBack() {
    val network = CountDownLatch(1)
    val peers =
        SyncOptions.connect("node.example:${node.port()}").hostNames {
          if (network.count > 0) throw UnknownHostException(it)
          arrayOf(InetAddress.getLoopbackAddress())
        }
    val phone = phone(restored("w"), peers)
    val heard = Heard()
    phone.follow(heard).use { sync ->
      heard.await { it is SyncEvent.Warning }
      assertThat(sync.isOffline).isTrue
      assertThat(sync.isRunning).isTrue
      network.countDown()
      heard.await { it is WalletEvent.Complete }
      assertThat(sync.isOffline).isFalse
    }
  }

  @Test
  fun theAppIsShort() {
    val lines = Files.readAllLines(Path.of("src/main/kotlin/org/murmur/sample/PhoneWallet.kt"))
    assertThat(lines).hasSizeBetween(1, 60).allMatch { it.length <= 100 }
  }

  private companion object {
    val WORDS = "abandon ".repeat(11) + "about"
  }
}
