import { CloseOutlined, EnvironmentOutlined } from '@ant-design/icons'
import type { Pin } from '@zhugong/contract/places/pins'
import type { SitePlace } from '@zhugong/contract/places/places'
import { Button } from 'antd'
import { useState } from 'react'
import { type ChosenPlace, PlaceChooser } from './place-chooser.tsx'
import { usePlaces } from './use-places.ts'
import './places.css'

interface PickerProps {
  id?: string | undefined
  projectCode: string
  placeId: string | null | undefined
  pin?: Pin | null | undefined
  /** Also asks for a point on the plan. */
  withPin?: boolean
  /** For pages that work without network. */
  offline?: boolean
  onChange: (chosen: ChosenPlace | undefined, place: SitePlace | undefined) => void
}

/** Where something is: a place of the site's tree, and a point on its plan. A site without a tree is told so; words are enough there. */
export function PlacePicker({ id, projectCode, placeId, pin, withPin = false, offline = false, onChange }: PickerProps) {
  const [choosing, setChoosing] = useState(false)
  const places = usePlaces(projectCode, { offline })
  const place = placeId ? places?.byId.get(placeId) : undefined
  if (places && places.tree.length === 0 && !place) return <p className="zg-2 place-none-yet">本项目还没有部位树，填写部位文字即可</p>
  const words = place ? `${place.fullName}${pin ? '（已标点）' : ''}` : '选择楼栋、楼层、房间或区域'
  return (
    <div className="place-picker">
      <Button
        id={id}
        size="large"
        icon={<EnvironmentOutlined />}
        disabled={!places}
        title={words}
        // Beside the label of its field, which would replace what the button says.
        aria-label={`位置：${words}`}
        className={place ? undefined : 'place-unset'}
        onClick={() => setChoosing(true)}
      >
        <span className="zg-line">{words}</span>
      </Button>
      {place && (
        <Button size="large" type="text" icon={<CloseOutlined />} aria-label="清除位置" onClick={() => onChange(undefined, undefined)} />
      )}
      {choosing && places && (
        <PlaceChooser
          projectCode={projectCode}
          places={places}
          value={place ? { placeId: place.id, pin: pin ?? null } : undefined}
          withPin={withPin}
          onClose={() => setChoosing(false)}
          onChoose={(chosen, at) => {
            setChoosing(false)
            onChange(chosen, at)
          }}
        />
      )}
    </div>
  )
}
