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
import org.murmur.coins.keys.Mnemonic
import org.murmur.coins.spend.FeePolicy
import org.murmur.coins.spend.fee.FeeRate
import org.murmur.p2p.chain.Birthday
import org.murmur.p2p.chain.ChainParams
import org.murmur.wallet.RunningSync
import org.murmur.wallet.SpvWallet
import org.murmur.wallet.WalletRecipe
import org.murmur.wallet.pay.Proposal
import org.murmur.wallet.sync.SyncListener
import org.murmur.wallet.sync.SyncOptions

/** A phone's wallet, in the phone's SQLite. Events come on the main thread; call it on others. */
class PhoneWallet(val wallet: SpvWallet, private val peers: SyncOptions) : AutoCloseable by wallet {

  /** Syncs once, with limits: for a job in the background. */
  fun sync(bytes: Long, time: Duration, heard: SyncListener): RunningSync =
      wallet.start(peers.limits { it.bytes(bytes).time(time) }, main, heard)

  /** Follows the chain until it is stopped, also while the network comes and goes. */
  fun follow(heard: SyncListener): RunningSync = wallet.start(peers.follow(true), main, heard)

  /** Plans a replacement of a payment that waits, with a higher fee. */
  fun planBump(id: Hash256, rate: FeeRate) = wallet.payments().planBump(id, FeePolicy.of(rate))

  /** Pays what the user has seen. If it throws, nothing was written. */
  fun pay(seen: Proposal) = wallet.payments().pay(seen, peers)

  companion object {
    private val main = Executor { Handler(Looper.getMainLooper()).post(it) }

    fun open(file: Path): SpvWallet = SpvWallet.open(file, AndroidSqlite.storage())

    fun newWords(): String = Mnemonic.generate(12, SecureRandom()).text()

    /** Show the words before: who has them has the coins, who lost them has lost the coins. */
    fun create(file: Path, network: ChainParams, words: String): SpvWallet =
        restore(file, network, words, Birthday.ofNewWallet(network, Instant.now()))

    fun restore(file: Path, network: ChainParams, words: String, born: Birthday): SpvWallet =
        make(file, WalletRecipe.ofWords(network, words).withBirthday(born))

    fun watch(file: Path, network: ChainParams, xpub: String): SpvWallet =
        make(file, WalletRecipe.watching(network, xpub))

    private fun make(file: Path, recipe: WalletRecipe): SpvWallet =
        SpvWallet.create(file, recipe, AndroidSqlite.storage())
  }
}
