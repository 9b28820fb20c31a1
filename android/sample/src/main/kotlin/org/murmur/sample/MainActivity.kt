package org.murmur.sample

import android.app.Activity
import android.os.Bundle
import android.text.InputType
import android.view.View
import android.widget.Button
import android.widget.EditText
import android.widget.ImageView
import android.widget.LinearLayout
import android.widget.ScrollView
import android.widget.TextView
import java.math.BigDecimal
import org.murmur.wallet.WalletRecipe
import org.murmur.wallet.keys.AddressText
import org.murmur.wallet.spend.fee.FeeRate
import org.murmur.wallet.sync.HistoryEntry
import org.murmur.wallet.sync.NoUsablePeerException
import org.murmur.wallet.sync.WalletEvent
import org.murmur.wallet.uri.PaymentUri

/** The only screen: balance, receiving, sending and history. */
class MainActivity : Activity() {

  private val app
    get() = application as SampleApp

  lateinit var balance: TextView
  lateinit var status: TextView
  lateinit var address: TextView
  lateinit var code: ImageView
  lateinit var payee: EditText
  lateinit var amount: EditText
  lateinit var rate: EditText
  lateinit var send: Button
  lateinit var outcome: TextView
  lateinit var history: TextView

  override fun onCreate(saved: Bundle?) {
    super.onCreate(saved)
    balance = text(32f)
    status = text(14f)
    code = ImageView(this).apply { adjustViewBounds = true }
    address = text(14f).apply { setTextIsSelectable(true) }
    payee = input("Address", InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS)
    amount = input("Satoshi", InputType.TYPE_CLASS_NUMBER)
    rate = input("Satoshi per virtual byte", InputType.TYPE_CLASS_NUMBER)
    send = Button(this).apply { text = "Send" }
    send.setOnClickListener { pay() }
    outcome = text(14f)
    history = text(14f)
    val column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
    listOf<View>(balance, status, code, address, payee, amount, rate, send, outcome, history)
        .forEach(column::addView)
    setContentView(ScrollView(this).apply { addView(column) })
    SyncJob.schedule(this)
  }

  private fun text(size: Float) = TextView(this).apply { textSize = size }

  private fun input(says: String, type: Int) = EditText(this).apply {
    hint = says
    inputType = type
  }

  private var shown = false

  override fun onStart() {
    super.onStart()
    shown = true
    refresh()
    app.follow(::heard)
  }

  override fun onStop() {
    shown = false
    app.pause()
    super.onStop()
  }

  /** On the main thread; an event may still be on its way when the screen is gone. */
  private fun heard(event: WalletEvent) {
    if (!shown) return
    when (event) {
      is WalletEvent.Progress -> status.text = "${event.toScan()} blocks to go"
      is WalletEvent.Complete -> {
        status.text = "Block ${event.height()}"
        refresh()
      }
      is WalletEvent.Warning -> status.text = event.what().toString()
      is WalletEvent.PaymentSeen,
      is WalletEvent.PaymentConfirmed,
      is WalletEvent.PaymentUnconfirmed,
      is WalletEvent.PaymentReplaced,
      is WalletEvent.PaymentGone -> refresh()
      else -> {}
    }
  }

  /** Reads in the background, draws here. */
  private fun refresh() = app.background.execute {
    val wallet = app.phone.wallet
    val total = wallet.balance().total()
    val receive = wallet.address().address()
    val lines = wallet.history().asReversed().joinToString("\n", transform = ::line)
    val picture = qrBitmap(uri(receive).upperCase(), PIXELS)
    runOnUiThread {
      balance.text = "$total sat"
      address.text = receive
      code.setImageBitmap(picture)
      history.text = lines
    }
  }

  private fun uri(receive: String) =
      PaymentUri.of(AddressText.parse(receive, WalletRecipe.keyNetwork(app.network)))

  private fun line(entry: HistoryEntry): String {
    val height = if (entry.height().isPresent) "block ${entry.height().asInt}" else "pending"
    return "%+d sat, %s, %s".format(entry.net(), height, entry.payees().joinToString())
  }

  private fun pay() {
    val to = payee.text.toString().trim()
    val satoshi = amount.text.toString().toLongOrNull() ?: return
    val perVb = rate.text.toString().toBigDecimalOrNull() ?: return
    send.isEnabled = false
    app.payments.execute {
      val said = attempt(to, satoshi, perVb)
      runOnUiThread {
        outcome.text = said
        send.isEnabled = true
        refresh()
      }
    }
  }

  private fun attempt(to: String, satoshi: Long, perVb: BigDecimal): String =
      try {
        val report = app.phone.pay(to, satoshi, FeeRate.ofSatPerVb(perVb))
        if (report.isAccepted) "Sent" else "Sent, and no node has answered yet"
      } catch (e: NoUsablePeerException) {
        "Saved, and sent by a later sync. Do not pay again: ${e.message}"
      } catch (e: Exception) {
        "Not sent: ${e.message}"
      }

  private companion object {
    const val PIXELS = 8
  }
}
