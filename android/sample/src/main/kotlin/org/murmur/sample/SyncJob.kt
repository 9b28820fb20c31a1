package org.murmur.sample

import android.app.job.JobInfo
import android.app.job.JobParameters
import android.app.job.JobScheduler
import android.app.job.JobService
import android.content.ComponentName
import android.content.Context
import org.murmur.p2p.sync.SyncEvent
import org.murmur.wallet.RunningSync
import org.murmur.wallet.sync.NoUsablePeerException
import org.murmur.wallet.sync.WalletEvent
import org.murmur.wallet.sync.WalletEvent.Payment.Change

/** A sync in the background, now and then, with a budget of bytes and time. */
open class SyncJob : JobService() {

  @Volatile private var stopped = false
  @Volatile private var sync: RunningSync? = null

  /** Starts the sync. Its own thread does the work, so this returns at once. */
  override fun onStartJob(parameters: JobParameters?): Boolean {
    val app = application as SampleApp
    if (!app.hasWallet) return false
    app.background.execute {
      try {
        sync = app.syncOnce(MAX_BYTES, MAX_MINUTES) { heard(parameters, it) }
        if (sync == null) finish(parameters, false)
        if (stopped) sync?.stop()
      } catch (e: Exception) {
        // The file cannot be opened, and next time it will be the same.
        Notifications(this).trouble(e)
        finish(parameters, false)
      }
    }
    return true
  }

  /** The system takes the network or the time away: ends at the next commit, and comes again. */
  override fun onStopJob(parameters: JobParameters?): Boolean {
    stopped = true
    sync?.stop()
    return true
  }

  /** On the main thread. */
  private fun heard(parameters: JobParameters?, event: SyncEvent) {
    when (event) {
      is WalletEvent.Payment -> if (event.change() in NEWS) Notifications(this).received(event.entry())
      is WalletEvent.Ended -> ended(parameters, event)
      else -> {}
    }
  }

  private fun ended(parameters: JobParameters?, event: WalletEvent.Ended) {
    val failure = event.failure().orElse(null)
    val noNetwork = failure is NoUsablePeerException
    if (failure != null && !noNetwork) Notifications(this).trouble(failure)
    // The rest is for the next time: a sync goes on where the last one ended.
    finish(parameters, noNetwork || event.report().map { !it.complete() }.orElse(false))
  }

  /** Tells the system that it may sleep. */
  protected open fun finish(parameters: JobParameters?, again: Boolean) =
      jobFinished(parameters, again)

  companion object {
    /** The job's number within this app. */
    const val ID = 37

    /** A new block costs a header and a filtered block; a week of them is far below this. */
    const val MAX_BYTES = 5_000_000L

    /** Android gives a job ten minutes at most. */
    const val MAX_MINUTES = 5L

    private val NEWS = setOf(Change.SEEN, Change.CONFIRMED)

    private const val PERIOD_MILLIS = 6L * 60 * 60 * 1000

    /** Asks for it: every six hours, when there is a network that costs nothing. */
    fun schedule(context: Context) {
      val scheduler = context.getSystemService(JobScheduler::class.java)
      if (scheduler.getPendingJob(ID) == null) {
        scheduler.schedule(
            JobInfo.Builder(ID, ComponentName(context, SyncJob::class.java))
                .setRequiredNetworkType(JobInfo.NETWORK_TYPE_UNMETERED)
                .setRequiresBatteryNotLow(true)
                .setPeriodic(PERIOD_MILLIS)
                .setPersisted(true)
                .build())
      }
    }
  }
}
