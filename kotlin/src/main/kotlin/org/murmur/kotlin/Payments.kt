package org.murmur.kotlin

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext
import org.murmur.bip37.tx.Tx
import org.murmur.wallet.Credentials
import org.murmur.wallet.SpvWallet
import org.murmur.wallet.WalletPayments
import org.murmur.wallet.failure.WalletException
import org.murmur.wallet.pay.PaymentRefusedException
import org.murmur.wallet.pay.Proposal
import org.murmur.wallet.sync.BroadcastReport
import org.murmur.wallet.sync.NoUsablePeerException
import org.murmur.wallet.sync.StopSignal
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions

/**
 * Signs a payment, writes it and broadcasts it as [WalletPayments.pay] does, and suspends until the
 * peers have reacted. A sync that runs meanwhile lends its connections.
 *
 * If the coroutine is cancelled before the payment is signed, nothing was written. Later it is
 * made, and the cancellation ends the wait for the peers only: each later sync sends it. Either
 * way this function returns when the wallet is at rest, and [SpvWallet.history] says which.
 *
 * @param proposal made by this wallet
 * @param options with whom, and how long to wait
 * @param credentials what opens the words
 * @param heard gets the events, on another thread
 * @return who fetched it, and who has it
 * @throws PaymentRefusedException if it cannot be made; nothing was written
 * @throws WalletException as [WalletPayments.pay] does; nothing was written
 */
public suspend fun SpvWallet.payNow(
    proposal: Proposal,
    options: SyncOptions,
    credentials: Credentials = Credentials.NONE,
    heard: SyncListener = SyncListener.NONE,
): BroadcastReport =
    stoppable(options) { payments().pay(proposal, credentials, it, heard) }

/**
 * Broadcasts a transaction as [WalletPayments.broadcast] does, and suspends until the peers have
 * reacted. If the coroutine is cancelled, the wait ends; a payment of the wallet whose sending has
 * begun is sent by each later sync.
 *
 * @param tx signed
 * @param options with whom, and how long to wait
 * @param heard gets the events, on another thread
 * @return who fetched it, and who has it
 * @throws WalletException as [WalletPayments.broadcast] does
 * @throws NoUsablePeerException if no peer could be reached
 */
public suspend fun SpvWallet.broadcastNow(
    tx: Tx,
    options: SyncOptions,
    heard: SyncListener = SyncListener.NONE,
): BroadcastReport =
    stoppable(options) { payments().broadcast(tx, it, heard) }

/** Works on a thread that may block. A cancellation stops the session, and waits for its end. */
private suspend fun <T> stoppable(options: SyncOptions, work: (SyncOptions) -> T): T {
  val stop = StopSignal()
  val outer = options.stop()
  val relay = Runnable(stop::stop)
  outer.ifPresent { it.ends(relay) }
  try {
    return coroutineScope {
      val working =
          async(Dispatchers.IO) {
            // A result that comes after the cancellation is dropped, a failure too.
            withContext(NonCancellable) { runCatching { work(options.stoppedBy(stop)) } }
          }
      try {
        working.await()
      } finally {
        stop.stop()
      }
    }.getOrThrow()
  } finally {
    outer.ifPresent { it.forget(relay) }
  }
}
