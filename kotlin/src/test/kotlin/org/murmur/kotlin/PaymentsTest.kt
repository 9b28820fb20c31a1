package org.murmur.kotlin

import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import java.util.concurrent.LinkedBlockingQueue
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.murmur.bip37.bytes.OutPoint
import org.murmur.bip37.tx.Amount
import org.murmur.coins.keys.Address
import org.murmur.coins.keys.KeyNetwork
import org.murmur.coins.spend.fee.FeeRate
import org.murmur.p2p.chain.ChainParams
import org.murmur.p2p.sync.Limits
import org.murmur.p2p.sync.SyncEvent
import org.murmur.p2p.internal.wire.Message
import org.murmur.regtest.RegtestNode
import org.murmur.regtest.chain.TxBuilder
import org.murmur.wallet.SpvWallet
import org.murmur.wallet.WalletRecipe
import org.murmur.wallet.pay.PaymentRefusedException
import org.murmur.wallet.pay.Proposal
import org.murmur.wallet.pay.Refusal
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions
import org.murmur.wallet.sync.WalletEvent

@Timeout(60)
class PaymentsTest {

  @TempDir lateinit var folder: Path

  private val node = RegtestNode.start()
  private val silent = CountDownLatch(1)
  private val told = LinkedBlockingQueue<SyncEvent>()
  private lateinit var wallet: SpvWallet

  @BeforeEach
  fun start() {
    node.mine(110)
    val recipe = WalletRecipe.ofWords(ChainParams.REGTEST, "abandon ".repeat(11) + "about")
    wallet = SpvWallet.create(folder.resolve("w"), recipe)
    val script = Address.parse(wallet.receive().current().address(), KeyNetwork.REGTEST).scriptPubKey()
    val coin = OutPoint(node.blockAt(1).tx(0).txid(), 0)
    node.broadcast(TxBuilder().spend(coin).pay(100_000, script).build())
    node.mine(1)
    wallet.sync(options, SyncListener.NONE)
  }

  @AfterEach
  fun stop() {
    silent.countDown()
    wallet.close()
    node.close()
  }

  private val options
    get() = SyncOptions.connect(node.address())

  /** A broadcast with these ends only when it is told to. */
  private val endless
    get() = options.limits { it.broadcastWait(Limits.FOREVER) }

  private fun proposal(): Proposal =
      wallet
          .payments()
          .plan(Address.parse(PAYEE, KeyNetwork.REGTEST), Amount.sat(20_000), FeeRate.satPerVb(2))

  /** The node gets payments and does not react; the result completes with the first. */
  private fun fallSilent(): CompletableDeferred<Unit> {
    val got = CompletableDeferred<Unit>()
    node.watch(
        object : RegtestNode.Onlooker {
          override fun received(message: Message) {
            if (message is Message.TxMessage) {
              got.complete(Unit)
              silent.await()
            }
          }

          override fun left() {}
        })
    return got
  }

  /** The wait ended by the cancellation, and not because the silent node was dropped. */
  private fun assertThatNobodyGaveUp() {
    assertThat(told).isNotEmpty.noneMatch { it is SyncEvent.PeerLost }
  }

  private fun pending() = wallet.history().list().filter { !it.height().isPresent }

  @Test
  fun paysAndBroadcastsAgain() = runBlocking<Unit> {
    val report = wallet.payNow(proposal(), options)
    assertThat(report.isAccepted).isTrue
    val tx = node.mempool().transactions().single()
    assertThat(tx.txid()).isEqualTo(report.txid())
    assertThat(wallet.broadcastNow(tx, options).isAccepted).isTrue
  }

  @Test
  fun aRefusalKeepsItsReason() = runBlocking<Unit> {
    val proposal = proposal()
    wallet.payNow(proposal, options)
    val refusal = runCatching { wallet.payNow(proposal, options) }.exceptionOrNull()
    assertThat((refusal as PaymentRefusedException).reason())
        .isInstanceOf(Refusal.PaidAlready::class.java)
  }

  @Test
  fun whoIsCancelledBeforePaysNothing() = runBlocking<Unit> {
    val proposal = proposal()
    launch {
          cancel()
          wallet.payNow(proposal, options)
        }
        .join()
    assertThat(pending()).isEmpty()
  }

  @Test
  fun aCancelledPaymentIsMadeAndSentLater() = runBlocking<Unit> {
    val got = fallSilent()
    val paying = async { wallet.payNow(proposal(), endless) { told.add(it) } }
    got.await()
    paying.cancel()
    assertThat(runCatching { paying.await() }.exceptionOrNull())
        .isInstanceOf(CancellationException::class.java)
    paying.join()
    assertThatNobodyGaveUp()
    silent.countDown()
    assertThat(pending().single().state().get().ordered()).isTrue
    // At rest: another session is not refused.
    assertThat(wallet.syncNow(options).complete()).isTrue
  }

  @Test
  fun aCancelledPaymentDoesNotEndTheSyncThatSendsIt() = runBlocking<Unit> {
    val complete = CompletableDeferred<Unit>()
    val sync =
        wallet.start(options.follow(true), Runnable::run) {
          told.add(it)
          if (it is WalletEvent.Complete) complete.complete(Unit)
        }
    complete.await()
    val got = fallSilent()
    val paying = async { wallet.payNow(proposal(), endless) }
    got.await()
    paying.cancel()
    paying.join()
    assertThat(sync.isRunning).isTrue
    assertThatNobodyGaveUp()
    silent.countDown()
    sync.stop()
    sync.report()
    assertThat(pending()).hasSize(1)
  }

  private companion object {
    const val PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
  }
}
