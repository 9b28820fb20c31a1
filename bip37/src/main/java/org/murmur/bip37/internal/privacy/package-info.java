/**
 * Privacy metrics of filters: pure functions of explicit inputs.
 *
 * <p>The metrics have the numbers M1 to M17 in the project's papers:
 *
 * <ul>
 *   <li>M1 parameters: {@link org.murmur.bip37.FilterParameters#of}, with both {@link
 *       org.murmur.bip37.Rounding}s
 *   <li>M2 theoretical rates: {@link org.murmur.bip37.internal.privacy.Rates}; M3 measured: {@link
 *       org.murmur.bip37.internal.privacy.Figure#measured}
 *   <li>M4 elements estimated from the load: {@link org.murmur.bip37.internal.privacy.LoadEstimate}
 *   <li>M5 to M9, decoys, anonymity, picks, precision, correlated elements, several filters: {@link
 *       org.murmur.bip37.MatchSet}
 *   <li>M10 deniability: {@link org.murmur.bip37.internal.privacy.Rates#deniability}
 *   <li>M11 clusters: {@link org.murmur.bip37.internal.privacy.Clusters}
 *   <li>M12 linkability: {@link org.murmur.bip37.internal.privacy.Linkability}
 *   <li>M13 behaviour: {@link org.murmur.bip37.internal.privacy.Distinguisher}
 *   <li>M14 exposure: {@link org.murmur.bip37.internal.privacy.Exposure}
 *   <li>M15 bandwidth: {@link org.murmur.bip37.internal.privacy.BlockCost}
 *   <li>M16 lifetime under {@code UPDATE_ALL}: {@link org.murmur.bip37.FilterTheory#lifetime},
 *       {@link org.murmur.bip37.internal.privacy.Rates#underUpdateAll}
 *   <li>M17 bitcoinj's estimator: {@link org.murmur.bip37.internal.privacy.BitcoinjEstimator}
 * </ul>
 */
@NullMarked
package org.murmur.bip37.internal.privacy;

import org.jspecify.annotations.NullMarked;
