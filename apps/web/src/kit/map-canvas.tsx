import { boundingExtent, buffer, getCenter, isEmpty } from 'ol/extent'
import Feature from 'ol/Feature'
import { LineString, Point, Polygon } from 'ol/geom'
import ImageLayer from 'ol/layer/Image'
import TileLayer from 'ol/layer/Tile'
import VectorLayer from 'ol/layer/Vector'
import OlMap from 'ol/Map'
import { colors, dark as night } from './colors.ts'
import 'ol/ol.css'
import Attribution from 'ol/control/Attribution'
import ScaleLine from 'ol/control/ScaleLine'
import Graticule from 'ol/layer/Graticule'
import { fromLonLat, toLonLat } from 'ol/proj'
import ImageStatic from 'ol/source/ImageStatic'
import VectorSource from 'ol/source/Vector'
import XYZ from 'ol/source/XYZ'
import { Circle, Fill, Stroke, Style, Text } from 'ol/style'
import View from 'ol/View'
import { useEffect, useRef } from 'react'
import { isPlace, type LngLat } from './geo.ts'
import { projectionOf } from './geo-shift.ts'
import { groundKey, type MapGround } from './map-ground.ts'
import type { PointState, SiteMapProps } from './map-props.ts'
import { fontFamily } from './theme.ts'

const stateColors: Record<PointState, string> = {
  normal: colors.fine,
  warning: colors.orange,
  alarm: colors.danger,
  offline: colors.text3,
  maintenance: colors.purple,
  person: colors.primary,
}

/** Conversion between stored places and map coordinates; the only place where coordinates are converted. */
export function projector({ tiles }: MapGround) {
  const { toMap, fromMap } = projectionOf(tiles?.crs)
  return {
    to: (at: LngLat) => fromLonLat([...toMap(at)]),
    from: (coordinate: number[]): LngLat => {
      const [lng = 0, lat = 0] = toLonLat(coordinate)
      return fromMap([lng, lat])
    },
  }
}

const degrees = (of: 'lon' | 'lat', dark: boolean) =>
  new Text({
    font: `11px ${fontFamily}`,
    fill: new Fill({ color: dark ? night.text : colors.text2 }),
    stroke: new Stroke({ color: dark ? night.ground : colors.white, width: 3 }),
    textBaseline: of === 'lon' ? 'bottom' : 'middle',
    textAlign: of === 'lon' ? 'center' : 'end',
  })
const inDegrees = (value: number, [plus, minus]: readonly [string, string]) =>
  `${value < 0 ? minus : plus} ${Number(Math.abs(value).toFixed(4))}°`

/**
 * The background of a map. A world map uses the deployment's tiles or, without tiles, a grid of longitude and latitude. A module map uses a
 * plain grid without real-world position. Grids need no remote service.
 */
export const groundLayer = ({ tiles, world }: MapGround, dark: boolean): TileLayer<XYZ> | Graticule =>
  tiles
    ? new TileLayer({ source: new XYZ({ url: tiles.tiles, attributions: tiles.attribution }) })
    : new Graticule({
        strokeStyle: new Stroke({ color: dark ? 'rgba(31,63,99,.6)' : 'rgba(91,101,118,.14)', width: 1 }),
        targetSize: 80,
        wrapX: false,
        showLabels: world,
        lonLabelStyle: degrees('lon', dark),
        latLabelStyle: degrees('lat', dark),
        lonLabelFormatter: (lng) => inDegrees(lng, ['东经', '西经']),
        latLabelFormatter: (lat) => inDegrees(lat, ['北纬', '南纬']),
        intervals: [90, 45, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002],
      })
export const mapControls = ({ tiles }: MapGround) => [
  new ScaleLine({ minWidth: 60 }),
  ...(tiles ? [new Attribution({ collapsible: false })] : []),
]

const words = (text: string, dark: boolean, offsetY: number) =>
  new Text({
    text,
    // Labels are shown even if the area is smaller.
    overflow: true,
    font: `600 12px ${fontFamily}`,
    offsetY,
    fill: new Fill({ color: dark ? night.text : colors.text }),
    stroke: new Stroke({ color: dark ? night.ground : colors.white, width: 3.5 }),
  })

const areaStyles = {
  fence: { color: '#8A6D2F', fill: 'rgba(138,109,47,.05)', dash: [8, 5] },
  danger: { color: colors.danger, fill: 'rgba(198,40,40,.12)', dash: [4, 4] },
  zone: { color: colors.primary, fill: 'rgba(21,88,214,.08)', dash: undefined },
} as const

function features(props: CanvasProps): Feature[] {
  const { to } = projector(props.ground)
  const dark = props.dark ?? false
  const all: Feature[] = []
  for (const area of props.areas ?? []) {
    const feature = new Feature(new Polygon([area.ring.map(to)]))
    const style = areaStyles[area.kind ?? 'fence']
    feature.setStyle(
      new Style({
        stroke: new Stroke({ color: style.color, width: 1.6, lineDash: style.dash ? [...style.dash] : undefined }),
        fill: new Fill({ color: style.fill }),
        text: area.label ? words(area.label, dark, 0) : undefined,
      }),
    )
    all.push(feature)
  }
  for (const line of props.lines ?? []) {
    const feature = new Feature(new LineString(line.path.map(to)))
    feature.setStyle([
      new Style({ stroke: new Stroke({ color: dark ? night.ground : colors.white, width: (line.width ?? 3.5) + 2 }) }),
      new Style({
        stroke: new Stroke({
          color: line.color ?? colors.primary,
          width: line.width ?? 3.5,
          lineDash: line.dash || undefined,
        }),
      }),
    ])
    all.push(feature)
  }
  for (const point of props.points ?? []) {
    if (!isPlace(point.at)) continue
    const feature = new Feature(new Point(to(point.at)))
    feature.setId(point.id)
    const chosen = props.selected === point.id
    const radius = point.size ?? (point.state === 'person' ? 2.6 : 5)
    feature.setStyle(
      new Style({
        image: new Circle({
          radius: chosen ? radius + 2 : radius,
          // Of overlapping labels the more severe one is shown; the points themselves are all shown.
          declutterMode: 'none',
          fill: new Fill({ color: point.state === 'offline' ? (dark ? night.ground : colors.white) : stateColors[point.state] }),
          stroke: new Stroke({
            color: point.state === 'offline' ? stateColors.offline : chosen ? night.accent : colors.white,
            width: chosen ? 3 : point.state === 'person' ? 0.5 : 1.5,
          }),
        }),
        text: point.label ? words(point.label, dark, -radius - 9) : undefined,
        // Larger points keep their label before smaller ones.
        zIndex: chosen ? 90 : point.state === 'alarm' ? 50 : Math.round(radius),
      }),
    )
    all.push(feature)
  }
  return all
}

/** Space in px for the labels above and beside the outermost points. */
const labelRoom = [24, 32, 8, 32] as const

interface CanvasProps extends SiteMapProps {
  ground: MapGround
}

export function MapCanvas(props: CanvasProps) {
  const element = useRef<HTMLDivElement>(null)
  const source = useRef(new VectorSource())
  const map = useRef<OlMap>(undefined)
  const kept = useRef<{ center: number[]; zoom: number }>(undefined)
  const fitted = useRef(false)
  const latest = useRef(props)
  latest.current = props
  const { plan, ground, dark = false, height = 360 } = props
  const planKey = plan ? [plan.url, ...plan.southWest, ...plan.northEast].join() : ''
  const tileKey = groundKey(ground)

  // biome-ignore lint/correctness/useExhaustiveDependencies: backgrounds are compared by content.
  useEffect(() => {
    if (!element.current) return
    const { to, from } = projector(ground)
    const layers: (TileLayer<XYZ> | ImageLayer<ImageStatic> | VectorLayer | Graticule)[] = [groundLayer(ground, dark)]
    if (plan) {
      const extent = boundingExtent([to(plan.southWest), to(plan.northEast)])
      layers.push(new ImageLayer({ source: new ImageStatic({ url: plan.url, imageExtent: extent, projection: 'EPSG:3857' }) }))
    }
    layers.push(new VectorLayer({ source: source.current, declutter: true }))
    const view = new View({ center: fromLonLat([114.3, 30.6]), zoom: 16, maxZoom: 21, ...(kept.current ?? {}) })
    const made = new OlMap({
      target: element.current,
      layers,
      view,
      controls: mapControls(ground),
    })
    map.current = made
    made.on('singleclick', (event) => {
      const hit = made.forEachFeatureAtPixel(event.pixel, (feature) => feature.getId(), { hitTolerance: 6 })
      if (hit !== undefined) latest.current.onPoint?.(String(hit))
      else latest.current.onClick?.(from(event.coordinate))
    })
    if (kept.current === undefined) fitted.current = false
    fit()
    return () => {
      kept.current = { center: view.getCenter() ?? [0, 0], zoom: view.getZoom() ?? 16 }
      made.setTarget(undefined)
      made.dispose()
      map.current = undefined
    }
  }, [planKey, tileKey, dark])

  const fit = () => {
    const made = map.current
    const { focus, plan: laid } = latest.current
    if (!made || fitted.current) return
    const { to } = projector(latest.current.ground)
    const extent = source.current.getExtent()
    const known = extent && !isEmpty(extent) ? extent : laid ? boundingExtent([to(laid.southWest), to(laid.northEast)]) : undefined
    if (focus) made.getView().setCenter(to(focus))
    else if (known) {
      const around = buffer(known, Math.max(30, ((known[2] ?? 0) - (known[0] ?? 0)) * 0.08))
      made.getView().setCenter(getCenter(around))
      made.getView().fit(around, { maxZoom: 19, padding: [...labelRoom] })
    } else return
    fitted.current = true
  }

  const { points, lines, areas, selected } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawing depends on exactly these.
  useEffect(() => {
    source.current.clear(true)
    source.current.addFeatures(features(latest.current))
    fit()
  }, [points, lines, areas, selected, dark])

  return (
    <div ref={element} role="img" aria-label={props.label} style={{ width: '100%', height, background: dark ? night.ground : '#F6F4EE' }} />
  )
}
