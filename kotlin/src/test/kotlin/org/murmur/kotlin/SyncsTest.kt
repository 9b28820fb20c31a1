package org.murmur.kotlin

import java.net.ServerSocket
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.murmur.bip37.bytes.Hash256
import org.murmur.bip37.bytes.OutPoint
import org.murmur.coins.keys.Address
import org.murmur.coins.keys.KeyNetwork
import org.murmur.p2p.chain.ChainParams
import org.murmur.p2p.sync.SyncEvent
import org.murmur.regtest.RegtestNode
import org.murmur.regtest.chain.TxBuilder
import org.murmur.wallet.RunningSync
import org.murmur.wallet.SpvWallet
import org.murmur.wallet.WalletRecipe
import org.murmur.wallet.sync.NoUsablePeerException
import org.murmur.wallet.sync.SyncOptions
import org.murmur.wallet.sync.SyncReport
import org.murmur.wallet.sync.WalletEvent

@Timeout(60)
class SyncsTest {

  @TempDir lateinit var folder: Path

  private val node = RegtestNode.start()
  private lateinit var wallet: SpvWallet
  private var spent = 0

  @BeforeEach
  fun start() {
    node.mine(110)
    val recipe = WalletRecipe.ofWords(ChainParams.REGTEST, "abandon ".repeat(11) + "about")
    wallet = SpvWallet.create(folder.resolve("w"), recipe)
  }

  @AfterEach
  fun stop() {
    wallet.close()
    node.close()
  }

  private val options
    get() = SyncOptions.connect(node.address())

  /** Pays from a coinbase that is anyone's. */
  private fun fund(satoshi: Long): Hash256 {
    spent++
    val coin = OutPoint(node.blockAt(spent).tx(0).txid(), 0)
    val script =
        Address.parse(wallet.receive().fresh().address(), KeyNetwork.REGTEST).scriptPubKey()
    val payment = TxBuilder().spend(coin).pay(satoshi, script).build()
    node.broadcast(payment)
    return payment.txid()
  }

  @Test
  fun theEventsFoldToTheBalance() = runBlocking<Unit> {
    for (satoshi in 1L..5L) {
      fund(satoshi * 10_000)
      node.mine(1)
    }
    fund(7_000)
    val payments = mutableMapOf<Hash256, Long>()
    wallet.events(options).collect {
      if (it is WalletEvent.Payment) payments[it.entry().txid()] = it.entry().net()
    }
    assertThat(payments).hasSize(6)
    assertThat(payments.values.sum()).isEqualTo(157_000).isEqualTo(wallet.balance().total())
  }

  /** The collector takes the first event, and the others when the sync is long over. */
  @Test
  fun aSlowCollectorLosesNothing() = runBlocking<Unit> {
    val told = LinkedBlockingQueue<SyncEvent>()
    val started = CompletableDeferred<RunningSync>()
    val events = eventsOf { listener ->
      wallet
          .start(options, Runnable::run) {
            told.add(it)
            listener.onEvent(it)
          }
          .also { started.complete(it) }
    }
    val taken = events.onEach { started.await().report() }.toList()
    assertThat(taken).isEqualTo(told.filter { it !is WalletEvent.Ended })
    assertThat(taken).hasAtLeastOneElementOfType(WalletEvent.Complete::class.java)
  }

  @Test
  fun cancellingTheCollectionEndsTheSync() = runBlocking<Unit> {
    val started = LinkedBlockingQueue<RunningSync>()
    val events = eventsOf { listener ->
      wallet.start(options.follow(true), Runnable::run, listener).also { started.add(it) }
    }
    assertThat(started).isEmpty()
    repeat(2) {
      events.first { it is WalletEvent.Complete }
      // Not only told to end.
      val sync = started.remove()
      assertThat(sync.isRunning).isFalse
      assertThat(sync.await().ending()).isEqualTo(SyncReport.Ending.STOPPED)
    }
  }

  @Test
  fun aFailureComesAfterTheLastEvent() = runBlocking<Unit> {
    val port = ServerSocket(0).use { it.localPort }
    val told = LinkedBlockingQueue<SyncEvent>()
    val failures = mutableListOf<Throwable>()
    val taken =
        eventsOf { listener ->
              wallet.start(SyncOptions.connect("127.0.0.1:$port"), Runnable::run) {
                told.add(it)
                listener.onEvent(it)
              }
            }
            .catch { failures.add(it) }
            .toList()
    assertThat(failures.single()).isInstanceOf(NoUsablePeerException::class.java)
    assertThat(taken).isNotEmpty.isEqualTo(told.filter { it !is WalletEvent.Ended })
  }

  @Test
  fun syncsNow() = runBlocking<Unit> {
    fund(30_000)
    node.mine(1)
    assertThat(wallet.syncNow(options).complete()).isTrue
    assertThat(wallet.balance().confirmed()).isEqualTo(30_000)
    val complete = CompletableDeferred<Unit>()
    val following = async {
      wallet.syncNow(options.follow(true)) {
        if (it is WalletEvent.Complete) complete.complete(Unit)
      }
    }
    complete.await()
    following.cancel()
    val ended = runCatching { following.await() }
    assertThat(ended.exceptionOrNull()).isInstanceOf(CancellationException::class.java)
    // One session at a time: this one would be refused.
    assertThat(wallet.syncNow(options).complete()).isTrue
  }

  @Test
  fun whoWaitsForAReportDoesNotEndTheSync() = runBlocking<Unit> {
    val complete = CompletableDeferred<Unit>()
    val sync = wallet.start(options.follow(true), Runnable::run) {
      if (it is WalletEvent.Complete) complete.complete(Unit)
    }
    complete.await()
    val waiting = async(start = CoroutineStart.UNDISPATCHED) { sync.report() }
    waiting.cancel()
    runCatching { waiting.await() }
    assertThat(sync.isRunning).isTrue
    sync.stop()
    assertThat(sync.report().ending()).isEqualTo(SyncReport.Ending.STOPPED)
  }
}
