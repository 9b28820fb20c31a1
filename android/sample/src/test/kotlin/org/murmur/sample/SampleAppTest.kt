package org.murmur.sample

import android.app.AlertDialog
import android.app.Notification
import android.app.NotificationManager
import android.app.job.JobParameters
import android.app.job.JobScheduler
import android.content.DialogInterface
import android.graphics.drawable.BitmapDrawable
import android.net.NetworkCapabilities
import android.os.Handler
import android.os.Looper
import android.text.Editable
import android.text.InputType
import android.text.TextWatcher
import android.view.WindowManager
import android.widget.TextView
import com.google.zxing.BinaryBitmap
import com.google.zxing.DecodeHintType
import com.google.zxing.RGBLuminanceSource
import com.google.zxing.common.HybridBinarizer
import com.google.zxing.qrcode.QRCodeReader
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import javax.xml.parsers.DocumentBuilderFactory
import org.assertj.core.api.Assertions.assertThat
import org.junit.After
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.murmur.bip37.bytes.OutPoint
import org.murmur.coins.keys.Address
import org.murmur.coins.keys.KeyNetwork
import org.murmur.p2p.chain.ChainParams
import org.murmur.regtest.ChainBuilder
import org.murmur.regtest.RegtestNode
import org.murmur.regtest.chain.TxBuilder
import org.murmur.wallet.Credentials
import org.murmur.wallet.sync.SyncOptions
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.LooperMode
import org.robolectric.shadows.ShadowAlertDialog

/** The sample app on a phone without a picture, with an embedded node as the network. */
@RunWith(RobolectricTestRunner::class)
@LooperMode(LooperMode.Mode.INSTRUMENTATION_TEST)
@Config(application = SampleAppTest.RegtestApp::class)
class SampleAppTest {

  class RegtestApp : SampleApp() {
    lateinit var node: RegtestNode
    override val network: ChainParams = ChainParams.REGTEST
    override val peers
      get() = SyncOptions.connect(node.address())
  }

  /** The job, and what it says to the system in the end: whether to come again. */
  class HeardJob : SyncJob() {
    val again = CompletableFuture<Boolean>()

    override fun finish(parameters: JobParameters?, again: Boolean) {
      this.again.complete(again)
    }
  }

  private val app = RuntimeEnvironment.getApplication() as RegtestApp

  @Before
  fun start() {
    app.node =
        RegtestNode.start(
            ChainBuilder.ofSeed(9)
                .transactionsPerBlock(0)
                .blocks(1)
                .startingAt(Instant.now().minus(Duration.ofMinutes(1_110)))
                .build()
                .chain())
    app.node.mine(110)
  }

  @After
  fun stop() {
    app.pause()
    inBackground { if (app.hasWallet) app.phone.close() }
    app.node.close()
  }

  private fun <T> inBackground(action: () -> T): T =
      FutureTask(action).also(app.background::execute).get(30, TimeUnit.SECONDS)

  private fun <T> onMain(action: () -> T): T =
      FutureTask(action)
          .also { Handler(Looper.getMainLooper()).post(it) }
          .get(30, TimeUnit.SECONDS)

  /** Waits until a view shows a text. */
  private fun await(view: TextView, wanted: (String) -> Boolean) {
    val shown = CompletableFuture<Unit>()
    val watcher =
        object : TextWatcher {
          override fun beforeTextChanged(text: CharSequence, at: Int, old: Int, new: Int) {}

          override fun onTextChanged(text: CharSequence, at: Int, old: Int, new: Int) {}

          override fun afterTextChanged(text: Editable) {
            if (wanted(text.toString())) shown.complete(Unit)
          }
        }
    onMain {
      if (wanted(view.text.toString())) shown.complete(Unit)
      view.addTextChangedListener(watcher)
    }
    runCatching { shown.get(30, TimeUnit.SECONDS) }
    assertThat(shown).`as`(onMain { view.text.toString() }).isCompleted
    onMain { view.removeTextChangedListener(watcher) }
  }

  /** The wallet of a user who started the app before. */
  private fun made() = inBackground { app.create(app.newWords) }

  /** Pays from a coinbase that is anyone's. */
  private fun fund(satoshi: Long) {
    val coin = OutPoint(app.node.blockAt(2).tx(0).txid(), 0)
    val address = inBackground { app.phone.wallet.receive().current().address() }
    val script = Address.parse(address, KeyNetwork.REGTEST).scriptPubKey()
    app.node.broadcast(TxBuilder().spend(coin).pay(satoshi, script).build())
    app.node.mine(1)
  }

  /** The code's text. Without the hint, ZXing finds no code in 6 of 1,000 such pictures. */
  private fun read(activity: MainActivity): String {
    val picture = (activity.code.drawable as BitmapDrawable).bitmap
    val pixels = IntArray(picture.width * picture.height)
    picture.getPixels(pixels, 0, picture.width, 0, 0, picture.width, picture.height)
    val source = RGBLuminanceSource(picture.width, picture.height, pixels)
    val straight = mapOf(DecodeHintType.PURE_BARCODE to true)
    return QRCodeReader().decode(BinaryBitmap(HybridBinarizer(source)), straight).text
  }

  @Test
  fun theScreenShowsSyncsReceivesAndSends() {
    made()
    fund(70_000)
    val screen = onMain { Robolectric.buildActivity(MainActivity::class.java).setup() }
    val activity = screen.get()
    await(activity.balance) { it == "70000 sat" }
    await(activity.history) { it.contains("+70000 sat, block 112") }
    val own = onMain { activity.address.text.toString() }
    assertThat(own).startsWith("bcrt1q")
    assertThat(onMain { read(activity) }).isEqualTo("BITCOIN:" + own.uppercase())
    onMain {
      activity.payee.setText(PAYEE)
      activity.amount.setText("20000")
      activity.rate.setText("2")
      activity.send.performClick()
    }
    val question = awaitDialog()
    assertThat(shadowOf(question).message.toString())
        .matches("Pay 20000 sat to $PAYEE, and 2\\d\\d sat of fee\\?")
    onMain { question.getButton(DialogInterface.BUTTON_POSITIVE).performClick() }
    await(activity.history) { it.contains("pending, $PAYEE") }
    await(activity.outcome) { it == "Sent" }
    val paid = app.node.mine(1)[0].tx(1).outputs().map { it.value() }
    assertThat(paid).contains(20_000L)
    await(activity.history) { it.contains("block 113, $PAYEE") }
    onMain {
      activity.amount.setText("90000")
      activity.send.performClick()
    }
    await(activity.outcome) { it.startsWith("Not sent: not enough can be spent: 497") }
    onMain {
      activity.payee.setText("bitcoin:$PAYEE?amount=1")
      activity.send.performClick()
    }
    await(activity.outcome) { it.startsWith("Not sent: not an address: it is a payment URI") }
    onMain {
      activity.payee.setText(PAYEE)
      activity.amount.setText("300")
      activity.rate.setText("5")
      activity.send.performClick()
    }
    val dear = awaitDialog()
    assertThat(shadowOf(dear).message.toString())
        .endsWith("\nWarning: the fee is more than the amount")
    onMain {
      dear.getButton(DialogInterface.BUTTON_NEGATIVE).performClick()
      screen.pause().stop().destroy()
    }
    assertThat(inBackground { app.phone.wallet.history().list() }).hasSize(2)
  }

  private fun awaitDialog(): AlertDialog {
    val shown = CompletableFuture<AlertDialog>()
    fun look() {
      val dialog = ShadowAlertDialog.getLatestAlertDialog()
      if (dialog?.isShowing != true) Handler(Looper.getMainLooper()).post(::look)
      else shown.complete(dialog)
    }
    onMain { look() }
    return shown.get(30, TimeUnit.SECONDS)
  }

  /** Who has no words on paper has no wallet; who turns the phone sees the same ones. */
  @Test
  fun theFirstStartShowsTheWordsAndAsksForOne() {
    val screen = onMain { Robolectric.buildActivity(MainActivity::class.java).setup() }
    onMain { screen.recreate() }
    val activity = screen.get()
    val flags = onMain { activity.window.attributes.flags }
    assertThat(flags and WindowManager.LayoutParams.FLAG_SECURE).isNotZero
    for (input in listOf(activity.word, activity.known)) {
      assertThat(input.inputType and InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS).isNotZero
    }
    val words = onMain { activity.words.text.toString() }.lines().last().split(" ")
    assertThat(words).hasSize(12)
    onMain { activity.create.performClick() }
    assertThat(onMain { activity.outcome.text.toString() }).startsWith("That is not word 7.")
    assertThat(app.hasWallet).isFalse
    onMain {
      activity.word.setText(words[6])
      activity.create.performClick()
    }
    await(activity.status) { it == "Block 111" }
    assertThat(inBackground { app.phone.wallet.keys().mnemonic(Credentials.NONE).split(" ") }).isEqualTo(words)
    onMain { screen.pause().stop().destroy() }
  }

  @Test
  fun wordsThatAreKnownAreRestoredAndWrongOnesRefused() {
    val screen = onMain { Robolectric.buildActivity(MainActivity::class.java).setup() }
    val activity = screen.get()
    onMain {
      activity.known.setText(ShrunkPhone.WORDS + " about")
      activity.restore.performClick()
    }
    await(activity.outcome) { it.startsWith("No wallet was made: ") }
    assertThat(app.hasWallet).isFalse
    onMain {
      activity.known.setText(ShrunkPhone.WORDS)
      activity.restore.performClick()
    }
    await(activity.status) { it == "Block 111" }
    onMain { screen.pause().stop().destroy() }
  }

  @Test
  fun aJobSyncsInTheBackground() {
    made()
    fund(30_000)
    onMain { SyncJob.schedule(app) }
    val scheduled = app.getSystemService(JobScheduler::class.java).getPendingJob(SyncJob.ID)!!
    val network = scheduled.requiredNetwork!!
    assertThat(network.hasCapability(NetworkCapabilities.NET_CAPABILITY_NOT_METERED)).isTrue
    assertThat(scheduled.isPeriodic).isTrue
    assertThat(scheduled.isPersisted).isTrue
    val job = job()
    assertThat(onMain { job.onStartJob(null) }).isTrue
    assertThat(job.again.get(30, TimeUnit.SECONDS)).isFalse
    assertThat(inBackground { app.phone.wallet.balance().confirmed() }).isEqualTo(30_000)
    assertThat(notifications()).containsExactly("Received 30000 sat")
  }

  private fun notifications() = onMain {
    shadowOf(app.getSystemService(NotificationManager::class.java)).allNotifications.map {
      it.extras.getCharSequence(Notification.EXTRA_TEXT).toString()
    }
  }

  private fun job() = onMain { Robolectric.buildService(HeardJob::class.java).create().get() }

  @Test
  fun aJobWithoutAWalletHasNothingToDo() {
    val job = job()
    assertThat(onMain { job.onStartJob(null) }).isFalse
  }

  /** The next period is hours away. */
  @Test
  fun aJobThatReachesNobodyComesAgain() {
    made()
    app.node.close()
    val job = job()
    onMain { job.onStartJob(null) }
    assertThat(job.again.get(30, TimeUnit.SECONDS)).isTrue
    assertThat(notifications()).isEmpty()
  }

  /** To come again would not help. */
  @Test
  fun aJobTellsThatTheFileCannotBeOpened() {
    app.noBackupFilesDir.resolve("wallet").writeText("no wallet")
    val job = job()
    onMain { job.onStartJob(null) }
    assertThat(job.again.get(30, TimeUnit.SECONDS)).isFalse
    assertThat(notifications().single()).startsWith("The wallet cannot sync: ")
    app.noBackupFilesDir.resolve("wallet").delete()
  }

  /** Ends at its next commit, and asks to come again. */
  @Test
  fun aJobThatIsStoppedComesAgain() {
    made()
    val job = job()
    onMain {
      job.onStartJob(null)
      assertThat(job.onStopJob(null)).isTrue
    }
    job.again.get(30, TimeUnit.SECONDS)
    assertThat(inBackground { app.phone.wallet.info().hasWords() }).isTrue
  }

  @Test
  fun theManifestNamesTheClasses() {
    val manifest =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(Path.of("src/main/AndroidManifest.xml").toFile())
    fun named(element: String) =
        manifest.getElementsByTagName(element).item(0).attributes.getNamedItem("android:name")
            .nodeValue
    assertThat(named("application")).isEqualTo(SampleApp::class.java.name)
    assertThat(named("activity")).isEqualTo(MainActivity::class.java.name)
    assertThat(named("service")).isEqualTo(SyncJob::class.java.name)
  }

  private companion object {
    const val PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080" // of the key 1
  }
}
