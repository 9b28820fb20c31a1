package org.murmur.sample

import android.app.job.JobInfo
import android.app.job.JobParameters
import android.app.job.JobScheduler
import android.app.job.JobService
import android.content.ComponentName
import android.content.Context
import org.murmur.wallet.RunningSync

/** A sync in the background, now and then, with a budget of bytes and time. */
open class SyncJob : JobService() {

  @Volatile private var stopped = false
  @Volatile private var sync: RunningSync? = null

  /** Starts the sync. Its own thread does the work, so this returns at once. */
  override fun onStartJob(parameters: JobParameters?): Boolean {
    (application as SampleApp).syncOnce(MAX_BYTES, MAX_MINUTES) { started ->
      sync = started
      if (started == null || stopped) {
        started?.cancel()
        finish(parameters, false)
      } else {
        // What the budget left over is for the next time: a sync goes on where the last one ended.
        started.whenEnded(Runnable::run) { finish(parameters, isUnfinished(started)) }
      }
    }
    return true
  }

  /** The system takes the network or the time away: ends at the next commit, and comes again. */
  override fun onStopJob(parameters: JobParameters?): Boolean {
    stopped = true
    sync?.cancel()
    return true
  }

  private fun isUnfinished(ended: RunningSync) =
      runCatching { !ended.await().complete() }.getOrDefault(true)

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
