package org.murmur.sample

import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import org.junit.Test
import org.junit.runner.RunWith
import org.murmur.bip37.tx.Amount
import org.murmur.coins.keys.Address
import org.murmur.coins.spend.fee.FeeRate
import org.murmur.p2p.chain.Birthday
import org.murmur.p2p.chain.ChainParams
import org.murmur.wallet.Credentials
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.LooperMode

/**
 * The life of a wallet in an app that was shrunk. [ShrunkAppTest] shrinks this class with the app,
 * and runs it in a process that has nothing else of Murmur.
 */
@RunWith(RobolectricTestRunner::class)
@LooperMode(LooperMode.Mode.INSTRUMENTATION_TEST)
class ShrunkPhone {

  @Test
  fun syncsAndPays() {
    val file = Files.createTempDirectory("phone").resolve("w")
    val wallet = PhoneWallet.restore(file, ChainParams.REGTEST, WORDS, Birthday.AtHeight(1))
    val peer = System.getProperty("murmur.peer")
    PhoneWallet(wallet, SyncOptions.connect(peer)).use { phone ->
      val report = phone.sync(10_000_000, Duration.ofMinutes(1), SyncListener.NONE).await()
      check(report.complete()) { report }
      check(wallet.balance().confirmed() == 70_000L) { wallet.balance() }
      // Built-in blocks are a resource beside a class, as the words are.
      PhoneWallet.create(file.resolveSibling("signet"), ChainParams.SIGNET, WORDS).close()
      val payee = Address.parse(PAYEE, wallet.keyNetwork())
      check(phone.pay(wallet.payments().plan(payee, Amount.sat(20_000), FeeRate.satPerVb(2))).isAccepted)
      val bump = phone.planBump(wallet.history().list().last().txid(), FeeRate.satPerVb(9))
      check(phone.pay(bump).isAccepted)
      check(wallet.history().list().any { it.net() == 70_000L }) { wallet.history().list() }
    }
    PhoneWallet.open(Path.of(file.toString())).use { check(it.keys().mnemonic(Credentials.NONE) == WORDS) }
  }

  companion object {
    const val WORDS =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon" +
            " about"

    /** Of the key 1. */
    const val PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
  }
}
