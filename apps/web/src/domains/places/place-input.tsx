import { PlacePicker } from './place-picker.tsx'

interface PlaceInputProps {
  projectCode: string
  id?: string
  /** Id of the place. */
  value?: string | null
  onChange?: (placeId: string | null) => void
}

/** A place as the control of a form's field. */
export const PlaceInput = ({ projectCode, id, value, onChange }: PlaceInputProps) => (
  <PlacePicker id={id} projectCode={projectCode} placeId={value} onChange={(chosen) => onChange?.(chosen?.placeId ?? null)} />
)
