package org.murmur.sample

import android.app.Activity
import android.app.AlertDialog
import android.os.Bundle
import android.text.InputType
import android.view.View
import android.view.WindowManager
import android.widget.Button
import android.widget.EditText
import android.widget.ImageView
import android.widget.LinearLayout
import android.widget.ScrollView
import android.widget.TextView
import java.util.concurrent.Executor
import org.murmur.bip37.Notice
import org.murmur.bip37.tx.Amount
import org.murmur.coins.keys.Address
import org.murmur.coins.spend.fee.FeeRate
import org.murmur.coins.uri.PaymentUri
import org.murmur.p2p.sync.SyncEvent
import org.murmur.wallet.WalletRecipe
import org.murmur.wallet.pay.PaymentRefusedException
import org.murmur.wallet.pay.Proposal
import org.murmur.wallet.sync.HistoryEntry
import org.murmur.wallet.sync.WalletEvent

/** The only screen: balance, receiving, sending and history; at the first start the words. */
class MainActivity : Activity() {

  private val app
    get() = application as SampleApp

  private val column by lazy { LinearLayout(this).apply { orientation = LinearLayout.VERTICAL } }
  val words by lazy { text(20f) }
  val word by lazy { input("Word $ASKED of these, from your paper", TEXT) }
  val create by lazy { button("Make this wallet") { create() } }
  val known by lazy { input("Or words that you have", TEXT) }
  val restore by lazy { button("Restore") { make(app::restore, known.text.toString()) } }
  val balance by lazy { text(32f) }
  val available by lazy { text(14f) }
  val status by lazy { text(14f) }
  val warning by lazy { text(14f) }
  val address by lazy { text(14f).apply { setTextIsSelectable(true) } }
  val code by lazy { ImageView(this).apply { adjustViewBounds = true } }
  val payee by lazy { input("Address", TEXT) }
  val amount by lazy { input("Satoshi", NUMBER) }
  val rate by lazy { input("Satoshi per virtual byte", NUMBER) }
  val send by lazy { button("Send") { plan() } }
  val outcome by lazy { text(14f) }
  val history by lazy { text(14f) }

  override fun onCreate(saved: Bundle?) {
    super.onCreate(saved)
    // The words are in no screenshot, and not in the list of recent apps.
    window.addFlags(WindowManager.LayoutParams.FLAG_SECURE)
    setContentView(ScrollView(this).apply { addView(column) })
    requestPermissions(arrayOf(Notifications.PERMISSION), 0)
    SyncJob.schedule(this)
  }

  private fun text(size: Float) = TextView(this).apply { textSize = size }

  private fun button(says: String, action: () -> Unit) = Button(this).apply {
    text = says
    setOnClickListener { action() }
  }

  private fun input(says: String, type: Int) = EditText(this).apply {
    hint = says
    inputType = type
  }

  private var shown = false

  override fun onStart() {
    super.onStart()
    shown = true
    if (app.hasWallet) open() else welcome()
  }

  override fun onStop() {
    shown = false
    app.pause()
    super.onStop()
  }

  private fun show(vararg views: View) {
    column.removeAllViews()
    views.forEach(column::addView)
  }

  /** There is no wallet before its words are on paper. */
  private fun welcome() {
    words.text = "Write these words down. Who has them has your coins:\n${app.newWords}"
    show(words, word, create, known, restore, outcome)
  }

  private fun create() {
    if (word.text.toString().trim() == app.newWords.split(" ")[ASKED - 1]) {
      make(app::create, app.newWords)
    } else {
      outcome.text = "That is not word $ASKED. Compare all words with your paper"
    }
  }

  private fun make(maker: (String) -> Unit, words: String) =
      attempt(app.background, "No wallet was made") {
        maker(words)
        runOnUiThread { if (shown) open() }
      }

  private fun open() {
    show(
        balance, available, status, warning, code, address, payee, amount, rate, send, outcome,
        history)
    attempt(app.background, "The wallet cannot be opened") {
      refresh()
      app.follow(::heard)
    }
  }

  /** Does something on another thread, and shows why it failed. */
  private fun attempt(where: Executor, failed: String, action: () -> Unit) = where.execute {
    try {
      action()
    } catch (e: Exception) {
      runOnUiThread { outcome.text = "$failed: ${words(e)}" }
    }
  }

  /** The message of a refusal is for a log, and has no amounts. */
  private fun words(e: Exception) =
      if (e is PaymentRefusedException) e.reason().text() else e.message

  /** On the main thread; an event may still be on its way when the screen is gone. */
  private fun heard(event: SyncEvent) {
    if (!shown) return
    when (event) {
      is SyncEvent.Progress ->
          if (event.toScan() > 0) status.text = "${event.toScan()} blocks to go"
      is WalletEvent.Complete -> {
        status.text = "Block ${event.height()}"
        refreshSoon()
      }
      is SyncEvent.Warning -> warn(event)
      is SyncEvent.PeerReady -> warning.text = ""
      is WalletEvent.Payment -> refreshSoon()
      is WalletEvent.Ended -> event.failure().ifPresent { status.text = "Stopped: ${it.message}" }
      else -> {}
    }
  }

  private fun warn(event: SyncEvent.Warning) {
    if (event.severity() != Notice.Severity.NOTE) {
      warning.text = "Warning: ${event.text()}"
    }
  }

  private fun refreshSoon() = attempt(app.background, "The wallet cannot be read", ::refresh)

  /** Reads here in the background, and draws on the main thread. */
  private fun refresh() {
    val wallet = app.phone.wallet
    // Of one commit: a sync may write between two reads.
    val read = wallet.asOf { Shown(it.balance().total(), it.spendable(), it.history().list()) }
    val (total, spendable, entries) = read.value()
    val lines = entries.asReversed().joinToString("\n", transform = ::line)
    val so = if (read.chain().complete()) "" else ", as far as it is synced"
    val receive = wallet.receive().current().address()
    val picture = qrBitmap(uri(receive).upperCase(), PIXELS)
    runOnUiThread {
      balance.text = "$total sat"
      available.text = "$spendable sat can be spent$so"
      address.text = receive
      code.setImageBitmap(picture)
      history.text = lines
    }
  }

  private data class Shown(val total: Long, val spendable: Long, val entries: List<HistoryEntry>)

  private fun uri(receive: String) =
      PaymentUri.of(Address.parse(receive, WalletRecipe.keyNetwork(app.network)))

  private fun line(entry: HistoryEntry): String {
    val height = if (entry.height().isPresent) "block ${entry.height().asInt}" else "pending"
    return "%+d sat, %s, %s".format(entry.net(), height, entry.payees().joinToString())
  }

  /** Plans the payment that is typed in, and asks for it. */
  private fun plan() {
    val to = payee.text.toString().trim()
    val satoshi = amount.text.toString().toLongOrNull()
    val perVb = rate.text.toString().toBigDecimalOrNull()
    if (satoshi == null || perVb == null) {
      outcome.text = "Type an address, an amount and a fee rate"
      return
    }
    attempt(app.background, "Not sent") {
      val wallet = app.phone.wallet
      val address = Address.parse(to, wallet.keyNetwork())
      val proposal = wallet.payments().plan(address, Amount.sat(satoshi), FeeRate.satPerVb(perVb))
      runOnUiThread { ask(to, proposal) }
    }
  }

  private fun ask(to: String, proposal: Proposal) {
    val fee = proposal.plan().fee()
    val warnings = proposal.warnings().joinToString("") { "\nWarning: ${it.text()}" }
    AlertDialog.Builder(this)
        .setMessage("Pay ${proposal.paid()} sat to $to, and $fee sat of fee?$warnings")
        .setPositiveButton("Pay") { _, _ -> pay(proposal) }
        .setNegativeButton("Back", null)
        .show()
  }

  private fun pay(proposal: Proposal) {
    outcome.text = "Sending"
    attempt(app.payments, "Not sent") {
      val report = app.phone.pay(proposal)
      val said =
          when {
            report.isAccepted -> "Sent"
            report.isRefused ->
                "Refused: ${report.refusedBy().values.first()}. It is saved: raise its fee, or" +
                    " abandon it"
            report.isUnanswered -> "Saved, and sent as soon as a node is there. Do not pay again"
            else -> "Sent, and no node has said that it accepts it"
          }
      runOnUiThread { outcome.text = said }
      refreshSoon()
    }
  }

  private companion object {
    const val PIXELS = 8

    /** No keyboard may learn words or addresses. */
    const val TEXT =
        InputType.TYPE_CLASS_TEXT or
            InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS or
            InputType.TYPE_TEXT_VARIATION_VISIBLE_PASSWORD
    const val NUMBER = InputType.TYPE_CLASS_NUMBER
    const val ASKED = 7
  }
}
