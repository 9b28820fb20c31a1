package org.murmur.sample

import android.app.Application
import java.nio.file.Files
import java.time.Duration
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import org.murmur.p2p.chain.ChainParams
import org.murmur.wallet.RunningSync
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions

/** The process: one wallet, opened once, for the screen and the job. */
open class SampleApp : Application() {

  /** A network without value, for a sample. */
  open val network: ChainParams = ChainParams.SIGNET

  /** Whom to sync with. */
  open val peers: SyncOptions = SyncOptions.discover()

  /** Everything that reads or writes the wallet: the main thread draws. */
  val background: Executor = Executors.newSingleThreadExecutor()

  /** Payments wait for what the nodes answer; reading must not wait for them. */
  val payments: Executor = Executors.newSingleThreadExecutor()

  /** The wallet; made at the first start. In the background only. */
  val phone: PhoneWallet by lazy {
    val file = noBackupFilesDir.toPath().resolve("wallet")
    val there = Files.exists(file)
    PhoneWallet(if (there) PhoneWallet.open(file) else PhoneWallet.create(file, network), peers)
  }

  private var running: RunningSync? = null

  /** Follows while the screen is shown; ends a job that syncs. */
  fun follow(heard: SyncListener) = background.execute {
    running?.close()
    running = phone.follow(heard)
  }

  /** Ends what runs. */
  fun pause() = background.execute { running?.close() }

  /** Syncs once with a budget and calls back, or with null if the screen syncs already. */
  fun syncOnce(bytes: Long, minutes: Long, started: (RunningSync?) -> Unit) = background.execute {
    val busy = running?.isRunning == true
    if (!busy) {
      running = phone.sync(bytes, Duration.ofMinutes(minutes), SyncListener.NONE)
    }
    started(if (busy) null else running)
  }
}
