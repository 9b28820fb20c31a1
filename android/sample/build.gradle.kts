plugins {
    id("com.android.application") version "8.7.3"
    id("org.jetbrains.kotlin.android") version "2.2.21"
}

android {
    namespace = "org.murmur.sample"
    compileSdk = 35

    defaultConfig {
        applicationId = "org.murmur.sample"
        minSdk = 26
        targetSdk = 35
        versionCode = 1
        versionName = "0.1.0"
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }

    buildTypes {
        release {
            isMinifyEnabled = true
            isShrinkResources = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
        }
    }

    packaging {
        resources.excludes += setOf(
            "META-INF/versions/**",
            "org/bouncycastle/pqc/**",
            "org/bouncycastle/x509/**",
            "org.bitcoin.*.checkpoints.txt",
            "org/bitcoinj/crypto/cacerts",
            "google/protobuf/**",
            "*.proto",
        )
    }
}

kotlin {
    jvmToolchain(17)
}

dependencies {
    implementation("org.murmur:murmur-android:0.1.0-SNAPSHOT")
    implementation("io.nayuki:qrcodegen:1.8.0")
    runtimeOnly("org.slf4j:slf4j-nop:2.0.16")
}
