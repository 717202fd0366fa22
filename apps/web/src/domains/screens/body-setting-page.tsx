import { usePageQuery } from '#kit/page.tsx'
import { ScreenSettings } from './screen-settings.tsx'

/** Settings of a government's wall. */
export default function BodySettingPage() {
  const govCode = usePageQuery().get('govCode')
  return <ScreenSettings whose={govCode ? { govCode } : {}} />
}
