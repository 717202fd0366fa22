import 'ol/ol.css'
import { boundingExtent, buffer } from 'ol/extent'
import Feature from 'ol/Feature'
import { Point, Polygon } from 'ol/geom'
import Draw from 'ol/interaction/Draw'
import type Interaction from 'ol/interaction/Interaction'
import Modify from 'ol/interaction/Modify'
import Snap from 'ol/interaction/Snap'
import VectorLayer from 'ol/layer/Vector'
import OlMap from 'ol/Map'
import VectorSource from 'ol/source/Vector'
import { Circle, Fill, Stroke, Style, Text } from 'ol/style'
import View from 'ol/View'
import { useEffect, useRef } from 'react'
import { colors } from '#kit/colors.ts'
import type { LngLat } from '#kit/geo.ts'
import { groundLayer, mapControls, projector } from '#kit/map-canvas.tsx'
import { groundKey, type MapGround } from '#kit/map-ground.ts'
import { type Draft, outlineOf } from './fence-draft.ts'

/** Initial centre of the map if the position of the project is unknown. */
const middleOfChina: LngLat = [104.2, 35.9]

export type Tool = 'edit' | 'draw' | 'circle'

/** Reference shape to draw along: the fence in force, a proposed one, or the site plan. */
export interface Underlay {
  name: string
  rings: readonly (readonly LngLat[])[]
  tone: 'now' | 'proposed' | 'plan'
}

export interface Punch {
  lng: number
  lat: number
  outside: boolean
}

export interface FenceCanvasProps {
  draft: Draft
  underlays: readonly Underlay[]
  /** Position of the project's address; initial centre of the map if nothing is drawn. */
  address: LngLat | undefined
  /** Position to test against the fence. */
  tried?: LngLat | undefined
  tool: Tool
  /** Index of the highlighted ring. */
  marked: number | undefined
  readOnly: boolean
  punches: readonly Punch[]
  ground: MapGround
  onRings: (rings: LngLat[][]) => void
  onCentre: (at: LngLat) => void
}

const tones = {
  now: { color: colors.warning, fill: 'rgba(138,109,47,.05)', dash: [8, 5] },
  proposed: { color: colors.orange, fill: 'rgba(217,115,13,.08)', dash: [4, 4] },
  plan: { color: colors.text2, fill: 'rgba(91,101,118,.04)', dash: [2, 4] },
} as const

const line = (color: string, fill: string, width: number, dash?: readonly number[], text?: string) =>
  new Style({
    stroke: new Stroke({ color, width, lineDash: dash ? [...dash] : undefined }),
    fill: new Fill({ color: fill }),
    text: text ? new Text({ text, fill: new Fill({ color }), stroke: new Stroke({ color: '#fff', width: 3 }) }) : undefined,
  })
const dot = (color: string, radius: number) =>
  new Style({ image: new Circle({ radius, fill: new Fill({ color }), stroke: new Stroke({ color: '#fff', width: 2 }) }) })

/** Map editor of a fence: draws rings, drags corners; both snap to other rings and to the underlays. */
export function FenceCanvas(props: FenceCanvasProps) {
  const element = useRef<HTMLDivElement>(null)
  const map = useRef<OlMap>(undefined)
  const drawn = useRef(new VectorSource<Feature<Polygon>>())
  const below = useRef(new VectorSource())
  // In their own source, because drawing must not snap to punches.
  const people = useRef(new VectorSource())
  const latest = useRef(props)
  latest.current = props
  const { draft, underlays, tool, ground, marked, readOnly, tried, address, punches } = props
  const tileKey = groundKey(ground)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tileKey` stands for the ground; the view is set once.
  useEffect(() => {
    if (!element.current) return
    const { to, from } = projector(ground)
    const view = new View(address ? { center: to(address), zoom: 17, maxZoom: 21 } : { center: to(middleOfChina), zoom: 5, maxZoom: 21 })
    const made = new OlMap({
      target: element.current,
      layers: [
        groundLayer(ground, false),
        new VectorLayer({ source: below.current }),
        new VectorLayer({ source: people.current }),
        new VectorLayer({ source: drawn.current }),
      ],
      view,
      controls: mapControls(ground),
    })
    map.current = made
    const known = [...outlineOf(latest.current.draft), ...latest.current.underlays.flatMap((one) => one.rings)].flat()
    if (known.length > 0) view.fit(buffer(boundingExtent(known.map(to)), 40), { maxZoom: 19 })
    made.on('singleclick', (event) => {
      if (latest.current.tool === 'circle' && !latest.current.readOnly) latest.current.onCentre(from(event.coordinate))
    })
    return () => {
      made.setTarget(undefined)
      made.dispose()
      map.current = undefined
    }
  }, [tileKey])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tileKey` stands for the ground.
  useEffect(() => {
    const { to } = projector(ground)
    // Replace the features, not the source: Modify and Snap track features by the events of the source.
    drawn.current.clear()
    drawn.current.addFeatures(
      outlineOf(draft).map((ring, i) => {
        const feature = new Feature(new Polygon([ring.map(to)]))
        feature.setId(i)
        const isMarked = marked === i && !draft.circle
        feature.setStyle(
          line(colors.primary, isMarked ? 'rgba(21,88,214,.18)' : 'rgba(21,88,214,.08)', isMarked ? 3 : 2, undefined, `${i + 1}`),
        )
        return feature
      }),
    )
  }, [draft, marked, tileKey])

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    const { to } = projector(ground)
    below.current.clear()
    for (const { name, rings, tone } of underlays)
      for (const ring of rings) {
        const feature = new Feature(new Polygon([ring.map(to)]))
        feature.setStyle(line(tones[tone].color, tones[tone].fill, 1.6, tones[tone].dash, name))
        below.current.addFeature(feature)
      }
    for (const [at, style] of [
      ...(address ? [[address, dot(colors.text3, 5)] as const] : []),
      ...(tried ? [[tried, dot(colors.danger, 6)] as const] : []),
    ]) {
      const feature = new Feature(new Point(to(at)))
      feature.setStyle(style)
      below.current.addFeature(feature)
    }
  }, [underlays, address, tried, tileKey])

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    const { to } = projector(ground)
    people.current.clear()
    people.current.addFeatures(
      punches.map(({ lng, lat, outside }) => {
        const feature = new Feature(new Point(to([lng, lat])))
        feature.setStyle(dot(outside ? colors.danger : colors.fine, 4))
        return feature
      }),
    )
  }, [punches, tileKey])

  // biome-ignore lint/correctness/useExhaustiveDependencies: interactions follow the tool and the map.
  useEffect(() => {
    const made = map.current
    if (!made || readOnly || tool === 'circle' || draft.circle) return
    const { from } = projector(ground)
    const ringOf = (polygon: Polygon | undefined): LngLat[] => polygon?.getCoordinates()[0]?.slice(0, -1).map(from) ?? []
    const tell = (more: readonly LngLat[][] = []) =>
      latest.current.onRings([
        // Sort by id, because the source does not keep the order of features.
        ...drawn.current
          .getFeatures()
          .toSorted((a, b) => Number(a.getId()) - Number(b.getId()))
          .map((feature) => ringOf(feature.getGeometry())),
        ...more,
      ])
    const interactions: Interaction[] = []
    if (tool === 'draw') {
      const draw = new Draw({ type: 'Polygon', stopClick: true })
      draw.on('drawend', ({ feature }) => tell([ringOf(feature.getGeometry() as Polygon)]))
      interactions.push(draw)
    } else {
      const modify = new Modify({ source: drawn.current })
      modify.on('modifyend', () => tell())
      interactions.push(modify)
    }
    // Added last, because Snap must move the pointer before the other interactions see the event.
    interactions.push(new Snap({ source: below.current }), new Snap({ source: drawn.current }))
    for (const one of interactions) made.addInteraction(one)
    return () => {
      for (const one of interactions) made.removeInteraction(one)
    }
  }, [tool, readOnly, draft.circle === undefined, tileKey])

  return <div ref={element} role="img" aria-label="围栏地图" className="org-fence-map" />
}
