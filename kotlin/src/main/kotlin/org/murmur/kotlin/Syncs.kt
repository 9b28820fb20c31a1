package org.murmur.kotlin

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.withContext
import org.murmur.p2p.sync.SyncEvent
import org.murmur.wallet.RunningSync
import org.murmur.wallet.SpvWallet
import org.murmur.wallet.failure.WalletException
import org.murmur.wallet.sync.NoUsablePeerException
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions
import org.murmur.wallet.sync.SyncReport
import org.murmur.wallet.sync.WalletEvent

/**
 * The events of a sync. Each collection starts a sync of its own, on a thread of its own; a wallet
 * has one at a time.
 *
 * The events that the collector has not taken yet wait in memory, in order, and do not hold up the
 * sync. The last 10,000 are kept: a collector that is further behind reads the wallet.
 *
 * The flow ends when the sync ends. With [SyncOptions.follow] it goes on until its collection is
 * cancelled. Then the sync ends at its next commit, and only then the collection does: the next one
 * can begin at once.
 *
 * The collection fails with [WalletException] or [NoUsablePeerException], after the last event. So
 * no [WalletEvent.Ended] comes.
 *
 * @param options with whom and how
 */
public fun SpvWallet.events(options: SyncOptions): Flow<SyncEvent> = eventsOf {
  start(options, Runnable::run, it)
}

private const val WAITING = 10_000

internal fun eventsOf(start: (SyncListener) -> RunningSync): Flow<SyncEvent> =
    channelFlow {
          val sync = start { if (it !is WalletEvent.Ended) trySend(it) }
          sync.endedOrCancelled()
          // A failure that left this block would overtake the events that wait.
          close(runCatching { sync.await() }.exceptionOrNull())
        }
        .buffer(WAITING, BufferOverflow.DROP_OLDEST)

/**
 * Syncs, and suspends until the end. If the coroutine is cancelled, the sync ends at its next
 * commit, and this function then.
 *
 * @param options with whom and how
 * @param heard gets the events, on a thread of the sync
 * @return what was done
 * @throws WalletException if the wallet cannot be written
 * @throws NoUsablePeerException if no peer was left before it was complete
 */
public suspend fun SpvWallet.syncNow(
    options: SyncOptions,
    heard: SyncListener = SyncListener.NONE,
): SyncReport = start(options, Runnable::run, heard).run {
  endedOrCancelled()
  await()
}

/**
 * Suspends until a sync ends that somebody else started. If the coroutine is cancelled, the sync
 * goes on.
 *
 * @return what the last session did
 * @throws WalletException as [SpvWallet.sync] does
 * @throws NoUsablePeerException as [SpvWallet.sync] does
 */
public suspend fun RunningSync.report(): SyncReport {
  ended().await()
  return await()
}

private fun RunningSync.ended(): CompletableDeferred<Unit> {
  val ended = CompletableDeferred<Unit>()
  whenEnded(Runnable::run) { ended.complete(Unit) }
  return ended
}

private suspend fun RunningSync.endedOrCancelled() {
  val ended = ended()
  try {
    ended.await()
  } finally {
    stop()
    withContext(NonCancellable) { ended.await() }
  }
}
