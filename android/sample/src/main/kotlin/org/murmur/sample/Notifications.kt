package org.murmur.sample

import android.app.Notification
import android.app.NotificationChannel
import android.app.NotificationManager
import android.content.Context
import org.murmur.wallet.sync.HistoryEntry

/** The notices of a job to a user who does not look at the screen. */
class Notifications(private val context: Context) {

  private val manager = context.getSystemService(NotificationManager::class.java)

  /** A payment to the wallet; once in a block, it replaces the message about the same payment. */
  fun received(entry: HistoryEntry) {
    if (entry.net() <= 0) return
    val confirmed = if (entry.height().isPresent) "" else ", not yet in a block"
    show(entry.txid().toDisplay(), "Received ${entry.net()} sat$confirmed")
  }

  /** The wallet cannot sync, and will not without the user. */
  fun trouble(failure: Throwable) = show("trouble", "The wallet cannot sync: ${failure.message}")

  private fun show(tag: String, text: String) {
    val importance = NotificationManager.IMPORTANCE_DEFAULT
    manager.createNotificationChannel(NotificationChannel(CHANNEL, "Payments", importance))
    manager.notify(
        tag,
        SyncJob.ID,
        Notification.Builder(context, CHANNEL)
            .setSmallIcon(android.R.drawable.stat_notify_sync)
            .setContentTitle("Murmur sample")
            .setContentText(text)
            .build())
  }

  companion object {
    /** Asked for on the screen, from Android 13 on. */
    const val PERMISSION = "android.permission.POST_NOTIFICATIONS"

    private const val CHANNEL = "payments"
  }
}
