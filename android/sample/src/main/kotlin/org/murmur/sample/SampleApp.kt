package org.murmur.sample

import android.app.Application
import android.net.ConnectivityManager
import android.net.Network
import java.nio.file.Files
import java.time.Duration
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import org.murmur.p2p.chain.Birthday
import org.murmur.p2p.chain.ChainParams
import org.murmur.wallet.RunningSync
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions

/** The process: one wallet, opened once, for the screen and the job. */
open class SampleApp : Application() {

  /** A network without value, for a sample. */
  open val network: ChainParams = ChainParams.SIGNET

  /** The peers to sync with. */
  open val peers: SyncOptions = SyncOptions.discover()

  /** Everything that reads or writes the wallet: the main thread draws. */
  val background: Executor = Executors.newSingleThreadExecutor()

  /** Payments wait for what the nodes answer; reading must not wait for them. */
  val payments: Executor = Executors.newSingleThreadExecutor()

  private val file
    get() = noBackupFilesDir.toPath().resolve("wallet")

  /** Whether there is a wallet. */
  val hasWallet
    get() = Files.exists(file)

  /** Of a wallet that is not made yet: the same ones when the phone is turned. */
  val newWords by lazy { PhoneWallet.newWords() }

  /** The wallet. In the background only. */
  val phone: PhoneWallet by lazy { PhoneWallet(PhoneWallet.open(file), peers) }

  @Volatile private var running: RunningSync? = null

  override fun onCreate() {
    super.onCreate()
    val back =
        object : ConnectivityManager.NetworkCallback() {
          override fun onAvailable(network: Network) {
            running?.retryNow()
          }
        }
    getSystemService(ConnectivityManager::class.java).registerDefaultNetworkCallback(back)
  }

  /** Makes the wallet of words that the user has on paper. In the background only. */
  fun create(words: String) = PhoneWallet.create(file, network, words).close()

  /** Makes the wallet of words that were used before. In the background only. */
  fun restore(words: String) =
      PhoneWallet.restore(file, network, words, Birthday.AtHeight(0)).close()

  /** Follows while the screen is shown; ends a job that syncs. In the background only. */
  fun follow(heard: SyncListener) {
    running?.close()
    running = phone.follow(heard)
  }

  /** Ends what runs. */
  fun pause() = background.execute { running?.close() }

  /** Syncs once with a budget; null if the screen syncs already. In the background only. */
  fun syncOnce(bytes: Long, minutes: Long, heard: SyncListener): RunningSync? {
    if (running?.isRunning == true) return null
    return phone.sync(bytes, Duration.ofMinutes(minutes), heard).also { running = it }
  }
}
