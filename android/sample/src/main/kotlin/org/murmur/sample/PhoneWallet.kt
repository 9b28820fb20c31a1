package org.murmur.sample

import android.os.Handler
import android.os.Looper
import java.nio.file.Path
import java.security.SecureRandom
import java.time.Duration
import java.time.Instant
import java.util.concurrent.Executor
import org.murmur.android.AndroidSqlite
import org.murmur.bip37.bytes.Hash256
import org.murmur.p2p.chain.Birthday
import org.murmur.p2p.chain.ChainParams
import org.murmur.wallet.RunningSync
import org.murmur.wallet.SpvWallet
import org.murmur.wallet.WalletRecipe
import org.murmur.wallet.keys.Mnemonic
import org.murmur.wallet.pay.Proposal
import org.murmur.wallet.spend.FeePolicy
import org.murmur.wallet.spend.fee.FeeRate
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions

/** A phone's wallet, in the phone's SQLite. Events come on the main thread; call it on others. */
class PhoneWallet(val wallet: SpvWallet, private val peers: SyncOptions) : AutoCloseable by wallet {

  /** Syncs once, with limits: for a job in the background. */
  fun sync(bytes: Long, time: Duration, heard: SyncListener): RunningSync =
      wallet.start(peers.maxBytes(bytes).timeout(time), main, heard)

  /** Follows the chain until it is cancelled, also while the network comes and goes. */
  fun follow(heard: SyncListener): RunningSync = wallet.start(peers.follow(true), main, heard)

  fun pay(address: String, satoshi: Long, rate: FeeRate) = send(wallet.plan(address, satoshi, rate))

  /** Replaces a payment that waits, by one with a higher fee. */
  fun bump(txid: Hash256, rate: FeeRate) = send(wallet.planBump(txid, FeePolicy.of(rate)))

  private fun send(it: Proposal) = wallet.pay(it, null, "", peers, SyncListener.NONE)

  companion object {
    private val main = Executor { Handler(Looper.getMainLooper()).post(it) }

    fun open(file: Path): SpvWallet = SpvWallet.open(file, AndroidSqlite.stores())

    fun restore(file: Path, network: ChainParams, words: String, born: Birthday): SpvWallet =
        make(file, WalletRecipe.ofWords(network, words).withBirthday(born))

    fun create(file: Path, network: ChainParams): SpvWallet =
        restore(file, network, newWords(), Birthday.AtTime(Instant.now()))

    private fun newWords() = Mnemonic.generate(12, SecureRandom()).text()

    fun watch(file: Path, network: ChainParams, xpub: String): SpvWallet =
        make(file, WalletRecipe.watching(network, xpub))

    private fun make(file: Path, recipe: WalletRecipe): SpvWallet =
        SpvWallet.create(file, recipe, AndroidSqlite.stores())
  }
}
