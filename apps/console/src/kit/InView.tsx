import { type ReactNode, useEffect, useRef, useState } from "react";

/**
 * Shows its content when its place comes near the visible part of the page, or some seconds later, when the first view has
 * long been there; until then an element of that class.
 */
export function InView({ className, children }: { className: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: "200px" },
    );
    observer.observe(place.current);
    const timer = setTimeout(() => setNear(true), 5000);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return isNear ? children : <div ref={place} className={className} />;
}
