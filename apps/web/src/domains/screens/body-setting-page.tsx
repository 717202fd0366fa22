import { usePageQuery } from '#kit/page.tsx'
import { ScreenSettings } from './screen-settings.tsx'

/** What does the wall of the command centre show? */
export default function BodySettingPage() {
  const govCode = usePageQuery().get('govCode')
  return <ScreenSettings whose={govCode ? { govCode } : {}} />
}
