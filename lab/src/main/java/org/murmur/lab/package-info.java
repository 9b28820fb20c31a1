/**
 * The frame that all experiments share: what an experiment is, how its trials are drawn, divided
 * and put together again, and what comes out.
 *
 * <p>An {@link org.murmur.lab.Experiment} is a pure function of its parameters and a seed. It is a
 * number of {@link org.murmur.lab.Trial}s, each with random numbers of its own that follow from the
 * seed, the experiment's name and the trial's number alone; each trial yields rows of one {@link
 * org.murmur.lab.Table} of observations. So a {@link org.murmur.lab.Shard} of the trials is an
 * exact part of the whole (but for what is measured on clocks and connections: times of families,
 * behaviour of real clients, answers of a node elsewhere), and all that is concluded (tables,
 * plots, verdicts: a {@link org.murmur.lab.Section}) is computed from the observations, after a
 * merge as after a run.
 *
 * <p>A {@link org.murmur.lab.Study} is what a command runs ({@code murmur lab fp}): some
 * experiments with common {@link org.murmur.lab.Parameters}. To add one: implement {@link
 * org.murmur.lab.StudyKind}, put it into the catalogue of {@code org.murmur.lab.report}, and give
 * it a command in {@code cli}; running, shards, merging, files, progress and the report are there.
 */
@NullMarked
package org.murmur.lab;

import org.jspecify.annotations.NullMarked;
