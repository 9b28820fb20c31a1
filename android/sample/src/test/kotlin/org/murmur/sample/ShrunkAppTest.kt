package org.murmur.sample

import java.io.File
import java.io.OutputStream
import java.net.URI
import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.Path
import java.util.Locale
import java.util.zip.Deflater
import java.util.zip.DeflaterOutputStream
import java.util.zip.ZipEntry
import java.util.zip.ZipFile
import java.util.zip.ZipOutputStream
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.fileSize
import kotlin.io.path.isDirectory
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.relativeTo
import kotlin.io.path.writeText
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.murmur.bip37.bytes.OutPoint
import org.murmur.bip37.tx.Tx
import org.murmur.coins.keys.Address
import org.murmur.coins.keys.KeyNetwork
import org.murmur.regtest.RegtestNode
import org.murmur.regtest.chain.TxBuilder

/**
 * The sample app, shrunk with the rules that the library brings. ProGuard stands in for R8, which
 * reads the same rules and is not on Maven Central, and dx for D8.
 */
@Tag("long")
class ShrunkAppTest {

  @TempDir lateinit var folder: Path

  private val classPath =
      System.getProperty("java.class.path").split(File.pathSeparator).map { Path.of(it) }

  private fun entry(pattern: String) = classPath.single { Regex(pattern).containsMatchIn("$it") }

  private fun module(name: String) = entry("/$name/target/(classes|murmur-[^/]*(?<!-tests)\\.jar)$")

  /** What an app has of these on its class path, in the order of the table. */
  private val groups =
      mapOf(
          APP to
              listOf(Path.of("target/classes").toAbsolutePath(), jar("kotlin-stdlib"),
                  jar("annotations-1"), jar("qrcodegen")),
          "Murmur" to listOf("bip37", "p2p", "coins", "wallet", "android").map { module(it) },
          "Bouncy Castle" to listOf(jar("bcprov")),
          "bitcoinj" to listOf(jar("bitcoinj-core")),
          "Guava" to listOf(jar("guava"), jar("failureaccess"), jar("listenablefuture")),
          "Protocol Buffers" to listOf(jar("protobuf-javalite")),
          "Jackson" to listOf(jar("jackson-core")),
          "SLF4J" to listOf(jar("slf4j-api")),
          "annotations" to listOf(jar("jspecify"), jar("jsr305"), jar("jcip"),
              jar("checker-qual"), jar("error_prone_annotations"), jar("j2objc")))

  private fun jar(name: String) = entry("/$name[^/]*\\.jar$")

  private fun rules(test: Boolean) = buildString {
    groups.values.flatten().forEach {
      appendLine("-injars \"$it\"(!META-INF/versions/**,!META-INF/MANIFEST.MF,!META-INF/*.txt)")
    }
    if (test) {
      val own = folder.resolve("test/org/murmur/sample").createDirectories()
      listOf("ShrunkPhone.class", "ShrunkPhone\$Companion.class").forEach {
        Path.of("target/test-classes/org/murmur/sample", it).copyTo(own.resolve(it))
      }
      appendLine("-injars \"${folder.resolve("test")}\"")
      appendLine("-libraryjars \"${entry("/junit/junit/.*\\.jar$")}\"")
      appendLine("-libraryjars \"${entry("/robolectric-4[^/]*\\.jar$")}\"")
      appendLine("-libraryjars \"${entry("/org/robolectric/annotations/.*\\.jar$")}\"")
      appendLine("-dontwarn org.robolectric.**")
      appendLine("-dontwarn org.hamcrest.**")
      appendLine("-keep class org.murmur.sample.ShrunkPhone { public *; }")
    }
    appendLine("-libraryjars \"${jar("android-all-1")}\"")
    appendLine("-libraryjars \"${folder.resolve("jdk.jar")}\"")
    appendLine("-outjars \"${folder.resolve("shrunk.jar")}\"")
    appendLine("-printmapping \"${folder.resolve("mapping.txt")}\"")
    appendLine(module("wallet").rulesOfTheLibrary())
    appendLine(RULES_OF_ANDROID)
  }

  private fun Path.rulesOfTheLibrary(): String {
    val name = "META-INF/proguard/murmur.pro"
    if (isDirectory()) return resolve(name).readText()
    return ZipFile(toFile()).use { it.getInputStream(it.getEntry(name)).reader().readText() }
  }

  /** The JDK's own classes as a jar that ProGuard reads, whatever JDK runs this. */
  private fun jdk() {
    val modules = FileSystems.getFileSystem(URI("jrt:/"))
    ZipOutputStream(Files.newOutputStream(folder.resolve("jdk.jar"))).use { zip ->
      for (name in listOf("java.base", "java.sql", "java.logging")) {
        val root = modules.getPath("/modules/$name")
        Files.walk(root).use { all ->
          all.filter { CLASS_OF_JAVA.containsMatchIn("$it") }.forEach {
            val bytes = Files.readAllBytes(it)
            // Major version: ProGuard knows no newer ones, and reads signatures only.
            bytes[7] = minOf(bytes[7].toInt(), JAVA_17).toByte()
            zip.putNextEntry(ZipEntry("${it.relativeTo(root)}"))
            zip.write(bytes)
            zip.closeEntry()
          }
        }
      }
    }
  }

  private fun run(vararg command: String): String {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
    val process = ProcessBuilder(java, *command).redirectErrorStream(true).start()
    val said = process.inputStream.reader().readText()
    assertThat(process.waitFor()).describedAs(said).isZero
    return said
  }

  private fun shrink(test: Boolean): String {
    jdk()
    val file = folder.resolve("rules.pro")
    file.writeText(rules(test))
    val all = System.getProperty("java.class.path")
    return run("-Xmx2g", "-cp", all, "proguard.ProGuard", "@$file")
  }

  private fun groupOf(type: String): String =
      when {
        type.startsWith("org.murmur.sample") -> APP
        type.startsWith("org.murmur") -> "Murmur"
        type.startsWith("org.bouncycastle") -> "Bouncy Castle"
        type.startsWith("org.bitcoinj") -> "bitcoinj"
        type.startsWith("com.google.common") -> "Guava"
        type.startsWith("com.google.protobuf") -> "Protocol Buffers"
        type.startsWith("com.fasterxml") -> "Jackson"
        type.startsWith("org.slf4j") -> "SLF4J"
        type.startsWith("kotlin") || type.startsWith("io.nayuki") -> APP
        else -> "annotations"
      }

  private fun row(part: String, before: Long, after: Long, packed: Long) =
      "| %s | %,d | %,d | %,d |\n".format(Locale.ROOT, part, before, after, packed)

  private fun classBytes(path: Path): Long =
      if (path.isDirectory()) {
        Files.walk(path).use { all ->
          all.filter { it.name.endsWith(".class") }.mapToLong { it.fileSize() }.sum()
        }
      } else {
        ZipFile(path.toFile()).use { zip ->
          zip.entries().asSequence()
              .filter { it.name.endsWith(".class") && !it.name.startsWith("META-INF") }
              .sumOf { it.size }
        }
      }

  /**
   * The size of the dex file of the shrunk classes, without those of the app.
   *
   * dx is older than D8 and knows no class files newer than Java 9. All that the newer ones have
   * here are other attributes, so it reads them under an older number. Calls through
   * `invokedynamic` stay such calls; D8 writes classes for them.
   */
  private fun dex(ofApp: (String) -> Boolean): Path {
    val old = folder.resolve("old.jar")
    ZipFile(folder.resolve("shrunk.jar").toFile()).use { zip ->
      ZipOutputStream(Files.newOutputStream(old)).use { out ->
        zip.entries().asSequence()
            .filter { it.name.endsWith(".class") && !ofApp(it.name) }
            .forEach {
              val bytes = zip.getInputStream(it).readAllBytes()
              bytes[7] = JAVA_9.toByte()
              out.putNextEntry(ZipEntry(it.name))
              out.write(bytes)
              out.closeEntry()
            }
      }
    }
    val dex = folder.resolve("classes.dex")
    run("-Xmx2g", "-cp", "${jar("dalvik-dx")}", "com.android.dx.command.Main", "--dex",
        "--min-sdk-version=26", "--output=$dex", "$old")
    return dex
  }

  private fun compressed(file: Path): Long {
    val deflater = Deflater()
    DeflaterOutputStream(OutputStream.nullOutputStream(), deflater).use {
      it.write(Files.readAllBytes(file))
    }
    return deflater.bytesWritten
  }

  @Test
  fun isSmall() {
    val said = shrink(test = false)
    assertThat(said.lines().filter { it.startsWith("Warning") }).isEmpty()
    val names =
        Files.readAllLines(folder.resolve("mapping.txt"))
            .filter { !it.startsWith(" ") && it.contains(" -> ") }
            .associate { it.substringAfter(" -> ").removeSuffix(":") to it.substringBefore(" -> ") }
    fun group(file: String): String {
      val name = file.removeSuffix(".class").replace('/', '.')
      return groupOf(names[name] ?: name)
    }
    val plain = mutableMapOf<String, Long>()
    val packed = mutableMapOf<String, Long>()
    var resources = 0L
    ZipFile(folder.resolve("shrunk.jar").toFile()).use { zip ->
      for (one in zip.entries()) {
        if (one.name.endsWith(".class")) {
          val group = group(one.name)
          plain.merge(group, one.size, Long::plus)
          packed.merge(group, one.compressedSize, Long::plus)
        } else {
          resources += one.size
        }
      }
    }
    val table = StringBuilder("| part | class bytes | shrunk | compressed |\n|---|---|---|---|\n")
    for ((group, paths) in groups) {
      val before = paths.sumOf { classBytes(it) }
      table.append(row(group, before, plain[group] ?: 0L, packed[group] ?: 0L))
    }
    val library = (packed - APP).values.sum()
    val before = groups.filterKeys { it != APP }.values.flatten().sumOf { classBytes(it) }
    table.append(row("all but the app", before, (plain - APP).values.sum(), library))
    val dex = dex { group(it) == APP }
    table.append("\ndex of all but the app: %,d bytes".format(Locale.ROOT, dex.fileSize()))
    table.append(", compressed %,d bytes\n".format(Locale.ROOT, compressed(dex)))
    table.append("resources: %,d bytes\n".format(Locale.ROOT, resources))
    println(table)
    Path.of("target/phone-size.md").writeText(table)
    assertThat(library).isBetween(100_000, MAX_BYTES)
    assertThat(dex.fileSize()).isBetween(100_000, MAX_BYTES)
  }

  @Test
  fun works() {
    shrink(test = true)
    val shrunk = folder.resolve("shrunk.jar")
    // Nothing of Murmur but what was shrunk. Robolectric has its own Guava and Bouncy Castle.
    val gone = listOf("Murmur", "bitcoinj").flatMap { groups.getValue(it) } + module("regtest")
    val own = listOf("classes", "test-classes").map { Path.of("target", it).toAbsolutePath() }
    val others = classPath - gone.toSet() - own.toSet()
    RegtestNode.start().use { node ->
      val coin = OutPoint(node.mine(110)[0].tx(0).txid(), 0)
      val first = Address.parse(FIRST_ADDRESS, KeyNetwork.REGTEST).scriptPubKey()
      node.mine(listOf(TxBuilder().spend(coin).pay(70_000, first).build()))
      val offline = listOf("robolectric.offline", "robolectric.dependency.dir")
      run(
          *offline.map { "-D$it=${System.getProperty(it)}" }.toTypedArray(),
          "-Dmurmur.peer=${node.address()}",
          "-cp",
          (listOf(shrunk) + others).joinToString(File.pathSeparator),
          "org.junit.runner.JUnitCore",
          ShrunkPhone::class.java.name)
      val payee = Address.parse(ShrunkPhone.PAYEE, KeyNetwork.REGTEST).scriptPubKey()
      assertThat(node.mine(1)[0].tx(1).outputs()).contains(Tx.Output(20_000, payee))
    }
  }

  private companion object {
    const val JAVA_9 = 53
    const val JAVA_17 = 61
    val CLASS_OF_JAVA = Regex("/javax?/.*\\.class$")

    const val APP = "the app, Kotlin's library, qrcodegen"

    /** Of the words, on regtest: m/84h/1h/0h/0/0. */
    const val FIRST_ADDRESS = "bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk"

    /** A phone must not notice it. */
    const val MAX_BYTES = 1_500_000L

    /**
     * What Android's build adds: the parts that the manifest names, and its usual rules. ProGuard
     * removes and renames only: what it optimizes, interfaces with private methods for one, the
     * JVM does not load.
     */
    const val RULES_OF_ANDROID =
        """
        -keep class * extends android.app.Application { public <init>(); }
        -keep class * extends android.app.Activity { public <init>(); }
        -keep class * extends android.app.Service { public <init>(); }
        -keepclassmembers enum * {
          public static **[] values();
          public static ** valueOf(java.lang.String);
        }
        -keepattributes *Annotation*,Signature,InnerClasses,EnclosingMethod,AnnotationDefault
        -dontoptimize
        -dontnote
        """
  }
}
